import { describe, expect, it } from 'vitest';
import { parseHeaderOption } from '../../../src/deliver/header-option.ts';
import { type HeaderChoices, outgoingHeaders } from '../../../src/deliver/outgoing-headers.ts';
import type { Headers } from '../../../src/model/event.ts';

function choices(change: Partial<HeaderChoices> = {}, ...options: readonly string[]): HeaderChoices {
  return {
    changes: options.map(parseHeaderOption),
    preserveHost: false,
    loopback: true,
    allowedCredentials: [],
    ...change,
  };
}

const CAPTURED: Headers = [
  ['Host', 'captured.test'],
  ['X-Twice', 'one'],
  ['content-type', 'application/json; charset=utf-8'],
  ['x-TWICE', 'two'],
  ['Authorization', 'Bearer abc'],
  ['X-Empty', ''],
];

describe('parseHeaderOption', () => {
  it.each([
    ['Name: value', { kind: 'set', name: 'Name', value: 'value' }],
    ['Name:value', { kind: 'set', name: 'Name', value: 'value' }],
    ['Name: a: b, c; d', { kind: 'set', name: 'Name', value: 'a: b, c; d' }],
    ['Name:', { kind: 'remove', name: 'Name' }],
    ['Name:  ', { kind: 'remove', name: 'Name' }],
    ['Name;', { kind: 'set', name: 'Name', value: '' }],
    ['Host: app.test', { kind: 'set', name: 'Host', value: 'app.test' }],
    ['X: ü', { kind: 'set', name: 'X', value: '\xc3\xbc' }],
  ])('reads %j', (text, change) => {
    expect(parseHeaderOption(text)).toEqual(change);
  });

  it.each([
    ['Name', 'HEADER_SYNTAX'],
    ['', 'HEADER_SYNTAX'],
    [': value', 'HEADER_SYNTAX'],
    ['Na me: value', 'HEADER_SYNTAX'],
    ['X: a\r\nInjected: b', 'HEADER_LINE_BREAK'],
    ['X: a\nInjected: b', 'HEADER_LINE_BREAK'],
    ['X\r\n: a', 'HEADER_LINE_BREAK'],
    ['X: a\0b', 'HEADER_LINE_BREAK'],
    ['Content-Length: 3', 'HEADER_SET_BY_SENDER'],
    ['transfer-encoding: chunked', 'HEADER_SET_BY_SENDER'],
  ])('refuses %j with %s', (text, code) => {
    expect(() => parseHeaderOption(text)).toThrow(expect.objectContaining({ code }));
  });
});

describe('outgoingHeaders', () => {
  it('keeps order, case, repetition and empty values', () => {
    expect(outgoingHeaders(CAPTURED, choices()).headers).toEqual(CAPTURED.slice(1));
  });

  it.each([
    ['Content-Length', '12'],
    ['transfer-encoding', 'chunked'],
    ['TE', 'trailers'],
    ['Trailer', 'X-Sum'],
    ['Expect', '100-continue'],
    ['Keep-Alive', 'timeout=5'],
    ['Upgrade', 'h2c'],
    ['Proxy-Authorization', 'Basic abc'],
    [':authority', 'captured.test'],
    [':path', '/hooks'],
  ])('leaves out %s, which belongs to the captured connection', (name, value) => {
    expect(outgoingHeaders([[name, value], ...CAPTURED], choices()).headers).toEqual(CAPTURED.slice(1));
  });

  it('leaves out what the Connection header names', () => {
    const headers: Headers = [
      ['connection', 'close, X-Hop'],
      ['X-Hop', '1'],
      ['X-Stay', '2'],
    ];
    expect(outgoingHeaders(headers, choices()).headers).toEqual([['X-Stay', '2']]);
  });

  it('replaces in place, drops further ones of the name, and adds new names at the end', () => {
    const { headers } = outgoingHeaders(CAPTURED, choices({}, 'x-twice: three', 'X-New: 1', 'x-twice: four'));
    expect(headers).toEqual([
      ['x-twice', 'three'],
      ['x-twice', 'four'],
      ['content-type', 'application/json; charset=utf-8'],
      ['Authorization', 'Bearer abc'],
      ['X-Empty', ''],
      ['X-New', '1'],
    ]);
  });

  it('removes a captured header', () => {
    const { headers } = outgoingHeaders(CAPTURED, choices({}, 'X-Twice:', 'X-Never-There:'));
    expect(headers.map(([name]) => name)).toEqual(['content-type', 'Authorization', 'X-Empty']);
  });

  it('sends the captured Host only when asked, also from HTTP/2', () => {
    expect(outgoingHeaders(CAPTURED, choices({ preserveHost: true })).headers[0]).toEqual(['Host', 'captured.test']);
    const http2: Headers = [[':authority', 'h2.test']];
    expect(outgoingHeaders(http2, choices({ preserveHost: true })).headers).toEqual([['Host', 'h2.test']]);
    expect(outgoingHeaders(CAPTURED, choices({}, 'Host: app.test')).headers.at(-1)).toEqual(['Host', 'app.test']);
    expect(outgoingHeaders(CAPTURED, choices({ preserveHost: true }, 'Host: app.test')).headers[0]).toEqual([
      'Host',
      'app.test',
    ]);
  });

  it('holds captured credentials back from another machine unless they are allowed by name or given with -H', () => {
    const captured: Headers = [['Cookie', 'a=1'], ...CAPTURED];
    const away = outgoingHeaders(captured, choices({ loopback: false }));
    expect(away.headers.map(([name]) => name)).toEqual(['X-Twice', 'content-type', 'x-TWICE', 'X-Empty']);
    expect(away.withheld).toEqual(['Cookie', 'Authorization']);
    const allowed = outgoingHeaders(captured, choices({ loopback: false, allowedCredentials: ['authorization'] }));
    expect(allowed.headers).toContainEqual(['Authorization', 'Bearer abc']);
    expect(allowed.withheld).toEqual(['Cookie']);
    const byHand = outgoingHeaders(captured, choices({ loopback: false }, 'Authorization: Bearer own'));
    expect(byHand.headers).toContainEqual(['Authorization', 'Bearer own']);
  });

  it.each<[string, string]>([
    ['X-Bad', 'a\r\nInjected: b'],
    ['X-Bad', 'a\0'],
    ['X-Bad', 'beyond latin1: \u4e2d'],
    ['X Bad', 'a'],
    ['X-Bad\r\nInjected', 'a'],
  ])('refuses the imported header %j: %j', (name, value) => {
    expect(() => outgoingHeaders([[name, value]], choices())).toThrow(
      expect.objectContaining({ code: 'HEADER_UNSENDABLE' }),
    );
  });
});
