import type { Header, Headers, RawRequest } from '../model/event.ts';
import { UserError } from '../support/errors.ts';
import { headerValues, isToken } from '../support/headers.ts';
import { dechunk } from './chunked.ts';

const LF = 0x0a;
const CR = 0x0d;

/**
 * Reads one request as it stands on the wire: request line, header lines, empty line, body. Head lines may end in CRLF
 * or LF. A chunked body is de-chunked; without a length, the body is all that remains. Names and values of headers are
 * kept as they are (latin1), without the blanks around a value.
 * @throws UserError `BAD_HTTP_FILE` that says what is missing
 */
export function parseRawHttp(bytes: Uint8Array): RawRequest {
  const { lines, end } = splitHead(bytes);
  const [first = '', ...rest] = lines;
  const { method, path, query } = parseRequestLine(first);
  const headers = parseHeaders(rest);
  return { method, path, query, headers, payload: bodyOf(bytes.subarray(end), headers) };
}

/** The reverse of `parseRawHttp`, with CRLF. A body whose headers say chunked is written as one chunk. */
export function writeRawHttp(request: RawRequest): Uint8Array {
  const target = request.query === null ? request.path : `${request.path}?${request.query}`;
  const lines = [
    `${request.method} ${target} HTTP/1.1`,
    ...request.headers.map(([name, value]) => `${name}: ${value}`),
  ];
  const head = Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1');
  if (!isChunked(request.headers)) return Buffer.concat([head, request.payload]);
  const { length } = request.payload;
  const chunk = length === 0 ? [] : [Buffer.from(`${length.toString(16)}\r\n`), request.payload, Buffer.from('\r\n')];
  return Buffer.concat([head, ...chunk, Buffer.from('0\r\n\r\n')]);
}

/** True when the bytes start like a request on the wire. */
export function looksLikeRawHttp(bytes: Uint8Array): boolean {
  const start = Buffer.from(bytes.subarray(skipBlank(bytes), 20_000)).toString('latin1');
  return /^[A-Z][A-Z-]* \S+ HTTP\/\d/.test(start);
}

function splitHead(bytes: Uint8Array): { readonly lines: readonly string[]; readonly end: number } {
  const lines: string[] = [];
  let start = skipBlank(bytes);
  for (;;) {
    const feed = bytes.indexOf(LF, start);
    if (feed < 0) throw headIsCut(lines.length);
    const stop = feed > start && bytes[feed - 1] === CR ? feed - 1 : feed;
    const line = Buffer.from(bytes.subarray(start, stop)).toString('latin1');
    start = feed + 1;
    if (line === '') return { lines, end: start };
    lines.push(line);
  }
}

/** Editors put a byte order mark or an empty line in front; neither belongs to the request. */
function skipBlank(bytes: Uint8Array): number {
  let at = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0;
  while (bytes[at] === CR || bytes[at] === LF) at++;
  return at;
}

function headIsCut(complete: number): UserError {
  const missing = complete === 0 ? 'its request line is not complete' : 'the empty line behind its headers is missing';
  return trouble(
    `This raw HTTP request is cut: ${missing}.`,
    'Save the whole request, with an empty line in front of the body.',
  );
}

function parseRequestLine(line: string): Pick<RawRequest, 'method' | 'path' | 'query'> {
  const [, method = '', target = ''] = /^(\S+) (\S+)(?: HTTP\/\d(?:\.\d)?)?$/.exec(line) ?? [];
  const local = target.replace(/^https?:\/\/[^/?]*/i, '');
  const [, path = '', query] = /^([^?]*)(?:\?(.*))?$/s.exec(local) ?? [];
  if (!isToken(method) || !/^(\/|\*$|$)/.test(path) || target === '') {
    throw trouble(`"${shorten(line)}" is no HTTP request line.`, 'It looks like: POST /webhooks HTTP/1.1');
  }
  return { method, path: path || '/', query: query ?? null };
}

function parseHeaders(lines: readonly string[]): Headers {
  const headers: Header[] = [];
  for (const [index, line] of lines.entries()) {
    const before = headers.at(-1);
    if (/^[ \t]/.test(line) && before) {
      headers[headers.length - 1] = [before[0], `${before[1]} ${trimBlanks(line)}`];
      continue;
    }
    const colon = line.indexOf(':');
    const name = line.slice(0, Math.max(0, colon));
    if (!isToken(name)) {
      throw trouble(`Line ${index + 2} is no header: "${shorten(line)}".`, 'A header looks like: Name: value');
    }
    headers.push([name, trimBlanks(line.slice(colon + 1))]);
  }
  return headers;
}

function bodyOf(rest: Uint8Array, headers: Headers): Uint8Array {
  if (isChunked(headers)) return dechunk(rest);
  const length = contentLength(headers);
  if (length === undefined) return copy(rest);
  if (rest.length < length) {
    throw trouble(
      `This raw HTTP request is cut: Content-Length says ${length} bytes of body, ${rest.length} are there, ${length - rest.length} are missing.`,
      'Save the whole request. If you edited the body, remove the Content-Length line.',
    );
  }
  const surplus = rest.subarray(length);
  if (surplus.some((byte) => byte !== CR && byte !== LF)) {
    throw trouble(
      `Content-Length says ${length} bytes of body, but ${rest.length} are there.`,
      'If you edited the body, remove the Content-Length line. Put each request in a file of its own.',
    );
  }
  return copy(rest.subarray(0, length));
}

function isChunked(headers: Headers): boolean {
  return headerValues(headers, 'transfer-encoding').some((value) => /\bchunked\s*$/i.test(value));
}

function contentLength(headers: Headers): number | undefined {
  const values = headerValues(headers, 'content-length');
  const [first] = values;
  if (first === undefined) return undefined;
  if (!/^\d+$/.test(first) || values.some((value) => value !== first)) {
    throw trouble(`"${values.join(', ')}" is no Content-Length.`, 'Write one number of bytes, or remove the line.');
  }
  return Number(first);
}

/** Takes away what HTTP calls optional whitespace, and nothing else: a no-break space is part of a value. */
export function trimBlanks(text: string): string {
  return text.replace(/^[ \t]+|[ \t]+$/g, '');
}

function shorten(line: string): string {
  return line.length > 60 ? `${line.slice(0, 60)}...` : line;
}

function copy(bytes: Uint8Array): Uint8Array {
  return new Uint8Array(bytes);
}

function trouble(message: string, hint: string): UserError {
  return new UserError('BAD_HTTP_FILE', message, { hint });
}
