import type { Header, Headers } from '../../model/event.ts';
import { headerValues, isToken, namedByConnection } from '../../support/headers.ts';
import { chunkedBody } from './chunked-body.ts';
import { type Framing, fixedLength, UNTIL_CLOSE } from './framing.ts';

export type ResponseHead = { readonly status: number; readonly headers: Headers };

export type ParsedHead =
  | {
      readonly kind: 'head';
      readonly head: ResponseHead;
      /** How the end of its body is found, made anew for each body. */
      readonly newFraming: () => Framing;
      /** Whether the connection may carry another exchange behind this one (RFC 9112 section 9.3). */
      readonly persists: boolean;
    }
  | { readonly kind: 'broken'; readonly detail: string };

/** @param text status line and header lines, latin1, without the empty line */
function parseHead(text: string, method: string): ParsedHead {
  const [statusLine = '', ...lines] = text.split('\r\n');
  const [, minor, status] = /^HTTP\/1\.([01]) (\d{3})(?: |$)/.exec(statusLine) ?? [];
  if (status === undefined) return broken(`The status line is ${JSON.stringify(statusLine.slice(0, 40))}.`);
  if (status === '101') return broken('The receiver switched to another protocol unasked.');
  const headers = lines.map(parseHeaderLine);
  const bad = headers.indexOf(undefined);
  if (bad >= 0) return broken(`This is no header line: ${JSON.stringify(lines[bad]?.slice(0, 40))}.`);
  const head = { status: Number(status), headers: headers as Headers };
  const newFraming = framingOf(head, method);
  if (typeof newFraming === 'string') return broken(newFraming);
  return { kind: 'head', head, newFraming, persists: persists(head.headers, minor) };
}

function persists(headers: Headers, minorVersion: string | undefined): boolean {
  const options = namedByConnection(headers);
  if (options.includes('close')) return false;
  return minorVersion === '1' || options.includes('keep-alive');
}

/** @param bytes of a head, without its empty line */
export type ReadHead = (bytes: Buffer, method: string) => ParsedHead;

export const readHead: ReadHead = (bytes, method) => parseHead(bytes.toString('latin1'), method);

/** The same, for a receiver whose answers mostly begin alike: the next head of the same bytes is the same object. */
export function rememberingReadHead(): ReadHead {
  let last: { readonly bytes: Buffer; readonly method: string; readonly parsed: ParsedHead } | undefined;
  return (bytes, method) => {
    if (last?.method !== method || !last.bytes.equals(bytes)) {
      last = { bytes: Buffer.from(bytes), method, parsed: readHead(bytes, method) };
    }
    return last.parsed;
  };
}

function broken(detail: string): ParsedHead {
  return { kind: 'broken', detail };
}

function parseHeaderLine(line: string): Header | undefined {
  const colon = line.indexOf(':');
  const name = line.slice(0, colon);
  const value = line.slice(colon + 1).replace(/^[ \t]+|[ \t]+$/g, '');
  if (colon < 1 || !isToken(name) || /[\0\r\n]/.test(value)) return undefined;
  return [name, value];
}

/** RFC 9112 section 6.3. What it calls an attack or an unrecoverable error is a sentence. */
function framingOf({ status, headers }: ResponseHead, method: string): (() => Framing) | string {
  const codings = headerValues(headers, 'transfer-encoding').flatMap((value) => value.toLowerCase().split(','));
  const lengths = headerValues(headers, 'content-length');
  if (codings.length > 0 && lengths.length > 0) return 'It has both Content-Length and Transfer-Encoding.';
  if (lengths.length > 1) return 'It has more than one Content-Length.';
  const [length] = lengths;
  if (length !== undefined && !/^\d{1,15}$/.test(length)) return `Its Content-Length is "${length}".`;
  if (method === 'HEAD' || status < 200 || status === 204 || status === 304) return () => fixedLength(0);
  if (codings.length > 0) return codings.at(-1)?.trim() === 'chunked' ? chunkedBody : () => UNTIL_CLOSE;
  return length === undefined ? () => UNTIL_CLOSE : () => fixedLength(Number(length));
}
