import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { rememberingWriteRequest, requestBytes } from '../../../src/deliver/wire/request-bytes.ts';
import { reusedMemory } from '../../../src/deliver/wire/reused-memory.ts';
import type { OutgoingRequest } from '../../../src/model/attempt.ts';
import type { Headers } from '../../../src/model/event.ts';

const HEADERS: readonly Headers[] = [
  [['Content-Type', 'application/json']],
  [
    ['Host', 'app.test'],
    ['X-Bytes', '\xe9\xff'],
  ],
  [],
];

const request: fc.Arbitrary<OutgoingRequest> = fc
  .record({
    method: fc.constantFrom('POST', 'GET', 'DELETE'),
    url: fc.constantFrom('http://127.0.0.1:3000', 'http://127.0.0.1:4000'),
    target: fc.constantFrom('/', '/hooks?a=1'),
    headers: fc.constantFrom(...HEADERS),
    payload: fc.constantFrom('', '{}', '{"a":1}', '{"a":2}'),
  })
  .map(({ url, payload, ...rest }) => ({ ...rest, url: new URL(url), payload: Buffer.from(payload) }));

describe('requests that share their headers', () => {
  it('are the same bytes as those that do not', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(request, fc.constantFrom('close', 'keep-alive')), { maxLength: 30 }), (all) => {
        const write = rememberingWriteRequest();
        const { room } = reusedMemory();
        for (const [one, connection] of all) {
          expect(write(one, connection, room).toString('latin1')).toBe(
            requestBytes(one, connection).toString('latin1'),
          );
        }
      }),
    );
  });
});
