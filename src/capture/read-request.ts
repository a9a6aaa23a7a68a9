import type { IncomingMessage } from 'node:http';
import type { Header, Headers, Mark, RawRequest } from '../model/event.ts';

/** What came over the wire, with marks for what of it could not be kept. */
export type Received = {
  readonly request: RawRequest;
  readonly marks: readonly Mark[];
  readonly originalBytes?: number | undefined;
};

/**
 * Resolves when the body is complete or the sender has broken off; never rejects. Keeps at most `limitBytes` of the body and
 * reads on to its end, since many senders do not look at an answer before they have written everything.
 */
export async function readRequest(message: IncomingMessage, limitBytes: number): Promise<Received> {
  const { chunks, bytes } = await readBody(message, limitBytes);
  const marks: Mark[] = [];
  if (bytes > limitBytes) marks.push('truncated');
  if (!message.complete) marks.push('incomplete');
  return {
    request: {
      method: message.method ?? '',
      ...splitTarget(message.url ?? ''),
      headers: pairs(message.rawHeaders),
      payload: Buffer.concat(chunks),
    },
    marks,
    originalBytes: bytes > limitBytes ? fullSize(message, bytes) : undefined,
  };
}

type Body = { readonly chunks: readonly Buffer[]; readonly bytes: number };

function readBody(message: IncomingMessage, limitBytes: number): Promise<Body> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    message.on('data', (chunk: Buffer) => {
      const room = limitBytes - bytes;
      bytes += chunk.length;
      if (room > 0) chunks.push(room < chunk.length ? chunk.subarray(0, room) : chunk);
    });
    const done = () => resolve({ chunks, bytes });
    // A sender that breaks off gives `error` and `close`, never `end`.
    message.on('end', done).on('close', done).on('error', done);
  });
}

/** A sender that broke off has told its size in Content-Length, or never. */
function fullSize(message: IncomingMessage, counted: number): number | undefined {
  if (message.complete) return counted;
  const declared = Number(message.headers['content-length']);
  return Number.isSafeInteger(declared) ? declared : undefined;
}

/** Splits a request target without decoding it; the absolute form (`POST http://host/path`) loses its origin. */
function splitTarget(target: string): Pick<RawRequest, 'path' | 'query'> {
  const withoutOrigin = target.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/?]*/i, '');
  const mark = withoutOrigin.indexOf('?');
  const path = mark < 0 ? withoutOrigin : withoutOrigin.slice(0, mark);
  return { path: path === '' ? '/' : path, query: mark < 0 ? null : withoutOrigin.slice(mark + 1) };
}

function pairs(rawHeaders: readonly string[]): Headers {
  const headers: Header[] = [];
  for (let i = 0; i + 1 < rawHeaders.length; i += 2) {
    headers.push([rawHeaders[i] as string, rawHeaders[i + 1] as string]);
  }
  return headers;
}
