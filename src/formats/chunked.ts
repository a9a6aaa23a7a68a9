import { UserError } from '../support/errors.ts';

const LF = 0x0a;
const CR = 0x0d;

/** The body inside HTTP/1.1 chunks; chunk extensions and trailers are dropped. @throws UserError when the last chunk is not there */
export function dechunk(bytes: Uint8Array): Uint8Array {
  const parts: Uint8Array[] = [];
  let at = 0;
  for (;;) {
    const { size, next } = readSize(bytes, at);
    if (size === 0) return new Uint8Array(Buffer.concat(parts));
    if (next + size > bytes.length) {
      throw cut(`the chunk at byte ${at} of the body has ${bytes.length - next} of its ${size} bytes`);
    }
    parts.push(bytes.subarray(next, next + size));
    at = skipLineEnd(bytes, next + size);
  }
}

function readSize(bytes: Uint8Array, at: number): { readonly size: number; readonly next: number } {
  const feed = bytes.indexOf(LF, at);
  if (feed < 0) throw cut('its last chunk is missing');
  const line = Buffer.from(bytes.subarray(at, feed)).toString('latin1');
  const digits = /^\s*([0-9a-f]{1,12})\s*(?:;.*)?$/is.exec(line)?.[1];
  if (digits === undefined) {
    throw new UserError('BAD_HTTP_FILE', `The headers say chunked, but byte ${at} of the body starts no chunk.`, {
      hint: 'If the body was saved without its chunks, remove the Transfer-Encoding line.',
    });
  }
  return { size: Number.parseInt(digits, 16), next: feed + 1 };
}

function skipLineEnd(bytes: Uint8Array, at: number): number {
  const feed = bytes[at] === CR ? at + 1 : at;
  if (feed >= bytes.length) throw cut('its last chunk is missing');
  if (bytes[feed] === LF) return feed + 1;
  throw new UserError('BAD_HTTP_FILE', `A chunk of the body is longer than its size says (at byte ${at}).`, {
    hint: 'Save the request as it was on the wire, or without chunks and without the Transfer-Encoding line.',
  });
}

function cut(what: string): UserError {
  return new UserError('BAD_HTTP_FILE', `This raw HTTP request is cut: ${what}.`, { hint: 'Save the whole request.' });
}
