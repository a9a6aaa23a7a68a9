import type { Headers } from '../model/event.ts';
import { HOP_BY_HOP, namedByConnection } from '../support/headers.ts';

/** Headers that concern more than one connection, in order; those that a Connection header names are gone too, and Content-Length is made anew. */
export function withoutHopByHop(headers: Headers): Headers {
  const left = new Set([...HOP_BY_HOP, ...namedByConnection(headers), 'content-length']);
  return headers.filter(([name]) => !left.has(name.toLowerCase()));
}
