import type { Headers, RawRequest } from '../../src/model/event.ts';

/** A post to `/hooks` with this body; text goes as UTF-8. */
export function bodyRequest(body: string | Uint8Array, headers: Headers = []): RawRequest {
  const payload = typeof body === 'string' ? Buffer.from(body, 'utf8') : body;
  return { method: 'POST', path: '/hooks', query: null, headers, payload };
}
