import fc from 'fast-check';
import type { Header, RawRequest } from '../../src/model/event.ts';

const latin1 = (min: number, maxLength: number) =>
  fc.array(fc.integer({ min, max: 0xff }), { maxLength }).map((codes) => String.fromCharCode(...codes));

const header = fc
  .tuple(
    fc.stringMatching(/^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,12}$/),
    latin1(0x20, 20).map((value) => value.replace(/^ +| +$/g, '')),
  )
  .filter(([name]) => !/^(content-length|transfer-encoding)$/i.test(name))
  .map(([name, value]): Header => [name, value]);

/** Any request that can stand on the wire, with any bytes as its payload. */
export const rawRequest: fc.Arbitrary<RawRequest> = fc.record({
  method: fc.constantFrom('GET', 'POST', 'PUT', 'X-ODD'),
  path: fc.stringMatching(/^\/[!-~]{0,20}$/).map((path) => path.replaceAll('?', '')),
  query: fc.option(fc.stringMatching(/^[!-~]{0,20}$/), { nil: null }),
  headers: fc.array(header, { maxLength: 8 }),
  payload: fc.uint8Array({ maxLength: 200 }),
});
