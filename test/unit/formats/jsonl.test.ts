import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { jsonl, writeJsonlEvent } from '../../../src/formats/jsonl.ts';
import type { WebhookEvent } from '../../../src/model/event.ts';
import { rawRequest } from '../../support/arbitraries.ts';

const parse = (text: string) => jsonl.parse(Buffer.from(text, 'utf8'), { name: 'dump.jsonl' });
const line = (changes: object) => JSON.stringify({ body: 'x', ...changes });

describe('JSONL', () => {
  it('keeps any event whole, there and back', () => {
    fc.assert(
      fc.property(rawRequest, fc.boolean(), (request, rich) => {
        const event: WebhookEvent = {
          ...request,
          id: 'Ab3',
          receivedAt: '2026-01-01T00:00:00.123Z',
          provider: 'stripe',
          tags: ['a', 'b'],
          marks: [],
          ...(rich ? { type: 't', eventId: 'e', deliveryId: 'd', occurredAt: 'o', resource: 'r' } : {}),
          ...(rich ? { marks: ['truncated'], originalBytes: 9 } : {}),
        };
        const answer = rich ? ({ kind: 'answered', by: 'capture', status: 200, tookMs: 1 } as const) : undefined;
        const { facts, ...found } = parse(writeJsonlEvent(event, answer))[0] ?? { facts: {} };
        expect(JSON.stringify({ ...found, ...facts, payload: null })).not.toBe('');
        expect({ ...found, ...facts }).toEqual({ ...event, answer });
      }),
    );
  });

  it('starts with the keys of the documented line', () => {
    const event = { ...base(), type: 'invoice.paid', eventId: 'evt_1' };
    expect(writeJsonlEvent(event)).toBe(
      '{"schema":"webhook-replay/event/1","id":"A","receivedAt":"2026-01-01T00:00:00.000Z","provider":"stripe",' +
        '"type":"invoice.paid","eventId":"evt_1","method":"POST","path":"/hooks","query":"a=1&a=2",' +
        '"headers":[["Content-Type","application/json"]],"body":{"encoding":"base64","data":"e30="},"tags":[]}\n',
    );
  });

  it('needs no more than a body', () => {
    expect(parse('{"body":{"encoding":"utf8","data":"é"}}\r\n\n')).toMatchObject([
      { method: 'POST', path: '/', query: null, headers: [], payload: new Uint8Array([0xc3, 0xa9]), tags: [] },
    ]);
  });

  it('marks headers that came as an object, since their order and repetition are lost', () => {
    const [found] = parse(line({ headers: { A: '1', B: ['2', '3'] } }));
    expect(found).toMatchObject({
      headers: [
        ['A', '1'],
        ['B', '2'],
        ['B', '3'],
      ],
      marks: ['bytes-lost'],
    });
  });

  it.each([
    ['{"body":"a"}\n{"body":', /^dump\.jsonl:2: this line is not JSON/],
    ['\n\n[]', /^dump\.jsonl:3: the line is no JSON object/],
    ['{}', /it has no "body"/],
    [line({ schema: 'webhook-replay/event/2' }), /its schema is "webhook-replay\/event\/2"/],
    [line({ body: { encoding: 'hex', data: '' } }), /encoding of its body is "hex"/],
    [line({ body: { encoding: 'base64', data: '***' } }), /not base64/],
    [line({ body: { encoding: 'base64' } }), /"body" is neither/],
    [line({ body: '\ud800' }), /half a character/],
    [line({ headers: [['A']] }), /no \[name, value\]: \["A"\]/],
    [line({ headers: 'A: 1' }), /"headers" is no list/],
    [line({ headers: [['A', '1\r\nB: 2']] }), /"A" has characters that cannot be sent/],
    [line({ headers: [['A', '\u20ac']] }), /"A" has characters/],
    [line({ headers: [['A B', '1']] }), /"A B" is no header name/],
    [line({ method: 'PO ST' }), /"PO ST" is no HTTP method/],
    [line({ path: 'hooks' }), /"hooks" is no path/],
    [line({ path: '/a b' }), /"\/a b" is no path/],
    [line({ query: 'a\nb' }), /is no query/],
    [line({ receivedAt: 'yesterday' }), /no ISO-8601 time: "yesterday"/],
    [line({ tags: 'a' }), /"tags" is no list/],
    [line({ type: 7 }), /"type" is no text/],
    [line({ answer: { kind: 'maybe' } }), /"answer" is not what export writes/],
  ])('%j is refused with its place', (text, message) => {
    expect(() => parse(text)).toThrow(message);
  });

  it('must be UTF-8', () => {
    expect(() => jsonl.parse(new Uint8Array([0xff]), { name: 'a' })).toThrow(/not UTF-8/);
  });
});

function base(): WebhookEvent {
  return {
    id: 'A',
    receivedAt: '2026-01-01T00:00:00.000Z',
    provider: 'stripe',
    method: 'POST',
    path: '/hooks',
    query: 'a=1&a=2',
    headers: [['Content-Type', 'application/json']],
    payload: new Uint8Array(Buffer.from('{}')),
    tags: [],
    marks: [],
  };
}
