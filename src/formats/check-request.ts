import type { Headers, RawRequest } from '../model/event.ts';
import { isToken } from '../support/headers.ts';

const TARGET = /^[\x21-\x7e\x80-\xff]*$/;
const VALUE = /^[^\0\r\n\u0100-\uffff]*$/;

/** Why these parts cannot stand on the wire as one request, or `undefined` when they can. */
export function problemOf({ method, path, query, headers }: Omit<RawRequest, 'payload'>): string | undefined {
  if (!isToken(method)) return `"${method}" is no HTTP method`;
  if (!TARGET.test(path) || !/^(\/|\*$)/.test(path) || path.includes('?')) return `"${path}" is no path`;
  if (query !== null && !TARGET.test(query)) return `"${query}" is no query`;
  return problemOfHeaders(headers);
}

function problemOfHeaders(headers: Headers): string | undefined {
  for (const [name, value] of headers) {
    if (!isToken(name)) return `"${name}" is no header name`;
    if (!VALUE.test(value)) return `the value of the header "${name}" has characters that cannot be sent`;
  }
  return undefined;
}
