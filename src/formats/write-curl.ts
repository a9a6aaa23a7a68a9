import type { RawRequest } from '../model/event.ts';
import { hasHeader } from '../support/headers.ts';
import { shellQuote } from '../support/shell-quote.ts';

export type WriteCurlOptions = {
  /** Scheme, host and port in front of the path. The captured host is never used: a pasted line must not reach production. */
  readonly origin: string;
};

/** curl makes these itself. */
const LEFT_OUT = new Set(['host', 'content-length', 'transfer-encoding', 'connection']);

/** Longer arguments are refused by Linux (128 KiB for one argument). */
const MOST_IN_ARGUMENT = 100_000;

/** A command for bash that sends this request, byte for byte; ends with a line end. */
export function writeCurl(request: RawRequest, { origin }: WriteCurlOptions): string {
  const { method, path, query, payload } = request;
  const headers = request.headers.filter(([name]) => !LEFT_OUT.has(name.toLowerCase()));
  const lines = [
    `curl ${method === 'HEAD' ? '-I' : `-X ${quote(method)}`} ${quoteUrl(`${origin}${path}${query === null ? '' : `?${query}`}`)}`,
    ...headers.map(([name, value]) => `-H ${quote(value === '' ? `${name};` : `${name}: ${value}`)}`),
  ];
  if (payload.length === 0) return `${lines.join(' \\\n  ')}\n`;
  if (!hasHeader(headers, 'content-type')) lines.push(`-H 'Content-Type:'`);
  const piped = payload.includes(0) || payload.length > MOST_IN_ARGUMENT;
  if (!piped) return `${[...lines, `--data-raw ${quoteBody(payload)}`].join(' \\\n  ')}\n`;
  const encoded = Buffer.from(payload).toString('base64');
  return `printf %s '${encoded}' | base64 -d | ${[...lines, '--data-binary @-'].join(' \\\n  ')}\n`;
}

/** curl would expand brackets and braces, and resolve dots, before it sends them. */
function quoteUrl(url: string): string {
  const flags = [/[[\]{}]/.test(url) ? '--globoff ' : '', /\/\./.test(url) ? '--path-as-is ' : ''];
  return `${flags.join('')}${quote(url)}`;
}

function quoteBody(payload: Uint8Array): string {
  const text = Buffer.from(payload).toString('utf8');
  const isPlain = Buffer.from(text, 'utf8').equals(payload) && !/[^\P{C}\n\t]/u.test(text);
  return isPlain ? shellQuote(text) : quote(Buffer.from(payload).toString('latin1'));
}

/** @param text latin1: a character is a byte */
function quote(text: string): string {
  if (/^[ -~]*$/.test(text)) return shellQuote(text);
  const escaped = text.replace(/[^ -~]|['\\]/g, (char) =>
    char === '\n' ? '\\n' : /['\\]/.test(char) ? `\\${char}` : `\\x${char.charCodeAt(0).toString(16).padStart(2, '0')}`,
  );
  return `$'${escaped}'`;
}
