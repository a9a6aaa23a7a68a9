import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib';
import type { Headers } from '../model/event.ts';
import { headerValue } from '../support/headers.ts';
import { indentJson } from '../support/indent-json.ts';
import { printable } from '../support/printable.ts';

/** How a payload looks to people: never what is stored or sent. */
export type BodyView = {
  /** What was done to it, for example `JSON, indented; decoded from gzip`. */
  readonly title: string;
  readonly text: string;
};

const MOST_DECODED = 8 * 1024 * 1024;
const MOST_TEXT = 64 * 1024;
const MOST_HEX = 512;

const DECODERS: Readonly<Record<string, (bytes: Uint8Array) => Buffer>> = {
  gzip: (bytes) => gunzipSync(bytes, { maxOutputLength: MOST_DECODED }),
  'x-gzip': (bytes) => gunzipSync(bytes, { maxOutputLength: MOST_DECODED }),
  deflate: (bytes) => inflateSync(bytes, { maxOutputLength: MOST_DECODED }),
  br: (bytes) => brotliDecompressSync(bytes, { maxOutputLength: MOST_DECODED }),
};

export function bodyView(payload: Uint8Array, headers: Headers): BodyView {
  if (payload.length === 0) return { title: 'empty', text: '' };
  const encoding = headerValue(headers, 'content-encoding')?.trim().toLowerCase();
  const decoder = encoding !== undefined && Object.hasOwn(DECODERS, encoding) ? DECODERS[encoding] : undefined;
  if (!decoder) return viewOf(payload);
  try {
    const { title, text } = viewOf(decoder(payload));
    return { title: `${title}; a view decoded from ${encoding}`, text };
  } catch {
    const { title, text } = viewOf(payload);
    return { title: `${title}; it says ${encoding}, but cannot be decoded`, text };
  }
}

function viewOf(bytes: Uint8Array): BodyView {
  const text = utf8Of(bytes);
  if (text === undefined) return { title: 'bytes that are no text', text: hexView(bytes) };
  if (!isJson(text)) return { title: 'text', text: cut(printable(text, { lines: true }), MOST_TEXT) };
  return { title: 'JSON, indented', text: cut(printable(indentJson(text), { lines: true }), MOST_TEXT) };
}

/** `undefined` when the bytes are not UTF-8, or hold bytes that text has not. */
function utf8Of(bytes: Uint8Array): string | undefined {
  if (bytes.includes(0)) return undefined;
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** Sixteen bytes a line: offset, hex, and what is ASCII of it. */
function hexView(bytes: Uint8Array): string {
  const lines: string[] = [];
  for (let at = 0; at < Math.min(bytes.length, MOST_HEX); at += 16) {
    const part = Buffer.from(bytes.subarray(at, at + 16));
    const hex = part.toString('hex').replace(/..(?=.)/g, '$& ');
    lines.push(
      `${at.toString(16).padStart(8, '0')}  ${hex.padEnd(47)}  ${part.toString('latin1').replace(/[^ -~]/g, '.')}`,
    );
  }
  const rest = bytes.length - MOST_HEX;
  return lines.join('\n') + (rest > 0 ? `\n... ${rest} bytes more` : '');
}

function cut(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, most)}\n... ${text.length - most} characters more`;
}
