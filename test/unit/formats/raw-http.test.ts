import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { looksLikeRawHttp, parseRawHttp, writeRawHttp } from '../../../src/formats/raw-http.ts';
import { rawRequest as request } from '../../support/arbitraries.ts';

const bytes = (text: string) => Buffer.from(text, 'latin1');

describe('parseRawHttp', () => {
  it('keeps order, case, repetition and latin1 of headers', () => {
    const request = parseRawHttp(bytes('POST /a?x=1&x=2 HTTP/1.1\r\nX-B: 1\r\nx-b:  caf\xe9 \r\nX-Empty:\r\n\r\nhi'));
    expect(request).toEqual({
      method: 'POST',
      path: '/a',
      query: 'x=1&x=2',
      headers: [
        ['X-B', '1'],
        ['x-b', 'caf\xe9'],
        ['X-Empty', ''],
      ],
      payload: new Uint8Array(bytes('hi')),
    });
  });

  it.each([
    ['no question mark', '/a', '/a', null],
    ['a bare question mark', '/a?', '/a', ''],
    ['two question marks', '/a?b?c', '/a', 'b?c'],
    ['an encoded slash', '/a%2Fb', '/a%2Fb', null],
    ['an absolute target', 'http://api.test:8080/a?b', '/a', 'b'],
    ['an absolute target without a path', 'http://api.test', '/', null],
    ['an asterisk', '*', '*', null],
  ])('reads a target with %s', (_title, target, ...[path, query]) => {
    expect(parseRawHttp(bytes(`GET ${target} HTTP/1.1\n\n`))).toMatchObject({ path, query });
  });

  it('takes LF heads, a byte order mark and empty lines in front', () => {
    const request = parseRawHttp(bytes('\xef\xbb\xbf\r\n\nPOST / HTTP/1.1\nHost: a.test\n\na\r\n\r\nb'));
    expect(request.headers).toEqual([['Host', 'a.test']]);
    expect(Buffer.from(request.payload).toString()).toBe('a\r\n\r\nb');
  });

  it('joins a folded header line', () => {
    expect(parseRawHttp(bytes('GET / HTTP/1.1\nA: 1\n\t 2\n\n')).headers).toEqual([['A', '1 2']]);
  });

  it('honours Content-Length and overlooks a line end that an editor added', () => {
    const request = parseRawHttp(bytes('POST / HTTP/1.1\r\ncontent-length: 3\r\n\r\nabc\n'));
    expect(Buffer.from(request.payload).toString()).toBe('abc');
  });

  it('takes the chunks out of a chunked body', () => {
    const request = parseRawHttp(
      bytes(
        'POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n3;x=y\r\na\r\n\r\nB\r\n0123456789a\r\n0\r\nT: 1\r\n\r\n',
      ),
    );
    expect(Buffer.from(request.payload).toString()).toBe('a\r\n0123456789a');
  });

  it.each([
    ['nothing', '', /request line is not complete/],
    ['half a request line', 'POST /a', /request line is not complete/],
    ['no empty line', 'POST /a HTTP/1.1\r\nA: b\r\n', /empty line behind its headers is missing/],
    [
      'a body that is too short',
      'POST / HTTP/1.1\nContent-Length: 9\n\nabc',
      /9 bytes of body, 3 are there, 6 are missing/,
    ],
    ['a body that is too long', 'POST / HTTP/1.1\nContent-Length: 1\n\nabc', /1 bytes of body, but 3 are there/],
    ['two lengths', 'POST / HTTP/1.1\nContent-Length: 1\nContent-Length: 2\n\nabc', /"1, 2" is no Content-Length/],
    ['a length in words', 'POST / HTTP/1.1\nContent-Length: one\n\nabc', /"one" is no Content-Length/],
    ['a short chunk', 'POST / HTTP/1.1\nTransfer-Encoding: chunked\n\n5\nabc', /has 3 of its 5 bytes/],
    ['no last chunk', 'POST / HTTP/1.1\nTransfer-Encoding: chunked\n\n3\nabc\n', /last chunk is missing/],
    [
      'no line end behind a chunk',
      'POST / HTTP/1.1\nTransfer-Encoding: chunked\n\n3\nabcd\n0\n\n',
      /longer than its size/,
    ],
    ['no chunks', 'POST / HTTP/1.1\nTransfer-Encoding: chunked\n\n{"a":1}\n', /starts no chunk/],
    ['a header without a colon', 'POST / HTTP/1.1\nHost\n\n', /Line 2 is no header: "Host"/],
    ['something else', 'hello\n\n', /"hello" is no HTTP request line/],
    ['a target without a slash', 'POST hooks HTTP/1.1\n\n', /is no HTTP request line/],
  ])('says what is wrong with %s', (_title, text, message) => {
    expect(() => parseRawHttp(bytes(text))).toThrow(message);
  });
});

describe('writeRawHttp', () => {
  it('writes what parseRawHttp reads back, whatever the bytes', () => {
    fc.assert(
      fc.property(request, (original) => {
        expect(parseRawHttp(writeRawHttp(original))).toEqual(original);
      }),
    );
  });

  it('writes a chunked body as a chunk, so that headers and body agree', () => {
    fc.assert(
      fc.property(request, (original) => {
        const chunked = { ...original, headers: [...original.headers, ['Transfer-Encoding', 'chunked'] as const] };
        expect(parseRawHttp(writeRawHttp(chunked))).toEqual(chunked);
      }),
    );
  });
});

describe('looksLikeRawHttp', () => {
  it.each([
    ['POST /a HTTP/1.1\r\n', true],
    ['\xef\xbb\xbfGET / HTTP/2\n', true],
    ['{"a":1}', false],
    ['curl -X POST http://a.test', false],
    ['', false],
  ])('%j: %s', (text, expected) => {
    expect(looksLikeRawHttp(bytes(text))).toBe(expected);
  });
});
