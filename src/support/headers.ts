import type { Headers } from '../model/event.ts';

/** The first header of that name, in any case. */
export function headerValue(headers: Headers, name: string): string | undefined {
  return headerValues(headers, name)[0];
}

/** All headers of that name, in any case, in order. */
export function headerValues(headers: Headers, name: string): readonly string[] {
  const wanted = name.toLowerCase();
  return headers.filter(([given]) => given.toLowerCase() === wanted).map(([, value]) => value);
}

export function hasHeader(headers: Headers, name: string): boolean {
  return headerValue(headers, name) !== undefined;
}

/** An HTTP token (RFC 9110 section 5.6.2): what a method or a header's name may be. */
export function isToken(text: string): boolean {
  return /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(text);
}

/** Headers that belong to one connection (RFC 9110 section 7.6.1 and older custom), in lower case. */
export const HOP_BY_HOP: readonly string[] = [
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
];

/** Further names that a Connection header declares to belong to that connection, in lower case. */
export function namedByConnection(headers: Headers): readonly string[] {
  return headerValues(headers, 'connection').flatMap((value) =>
    value.split(',').map((token) => token.trim().toLowerCase()),
  );
}
