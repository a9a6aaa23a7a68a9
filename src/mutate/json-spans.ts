import { pointerStep } from '../support/json-pointer.ts';
import { part, unescapeJson, type View } from './view.ts';

/** One text or number as it stands in the bytes. */
export type Span = {
  /** RFC 6901. Of a key: that of its value. In a list: with the index. */
  readonly pointer: string;
  /** The nearest object key above, `''` at the top: in `{"ids":[1,2]}` it is `ids` for both numbers. */
  readonly key: string;
  /** The key of the object around, `''` at the top. */
  readonly parent: string;
  readonly kind: 'key' | 'string' | 'number';
  /** Without the quotes, escapes read. */
  readonly view: View;
};

export type JsonSpans = {
  readonly spans: readonly Span[];
  /** True when the text is one whole JSON value. False when it breaks off or is no JSON: spans are those before that place. */
  readonly complete: boolean;
  /** Where reading ended, as an index of the text. */
  readonly end: number;
};

/**
 * Finds every text and number of a JSON text without ever writing it anew, so it may have anything JSON.parse would lose
 * or refuse: a byte order mark, invalid UTF-8, duplicate keys, big numbers, lone surrogates, control characters.
 */
export function jsonSpans(source: View): JsonSpans {
  const { text } = source;
  const at = text.startsWith(BYTE_ORDER_MARK) ? BYTE_ORDER_MARK.length : 0;
  const reader: Reader = { source, text, spans: [], frames: [], at, place: TOP };
  let state: State = 'value';
  while (state !== 'done' && state !== 'broken') {
    skipSpace(reader);
    state = reader.at < text.length ? readNext(reader, state) : 'broken';
  }
  if (state === 'done') skipSpace(reader);
  return { spans: reader.spans, complete: state === 'done' && reader.at === text.length, end: reader.at };
}

const BYTE_ORDER_MARK = '\u00ef\u00bb\u00bf';

type Place = Pick<Span, 'pointer' | 'key' | 'parent'>;

const TOP: Place = { pointer: '', key: '', parent: '' };

/** An object or list that is open; `index` counts a list's elements. */
type Frame = Place & { readonly kind: 'object' | 'list'; index: number };

type Reader = {
  readonly source: View;
  readonly text: string;
  readonly spans: Span[];
  readonly frames: Frame[];
  at: number;
  /** Of the value that comes next. */
  place: Place;
};

/** What may come next. */
type State = 'value' | 'value-or-end' | 'key' | 'key-or-end' | 'comma-or-end' | 'done' | 'broken';

function readNext(reader: Reader, state: State): State {
  const first = reader.text[reader.at];
  if (state.endsWith('end') && first === (reader.frames.at(-1)?.kind === 'object' ? '}' : ']')) return close(reader);
  if (state.startsWith('value')) return readValue(reader, first);
  if (state === 'comma-or-end') return first === ',' ? readComma(reader) : 'broken';
  return first === '"' ? readKey(reader) : 'broken';
}

function readValue(reader: Reader, first: string | undefined): State {
  if (first === '{') return open(reader, 'object');
  if (first === '[') return open(reader, 'list');
  if (first !== '"') return readPlain(reader);
  const view = readQuoted(reader);
  if (!view) return 'broken';
  addSpan(reader, 'string', view);
  return afterValue(reader);
}

function open(reader: Reader, kind: Frame['kind']): State {
  const { pointer, key, parent } = reader.place;
  const frame: Frame = { pointer, key, parent, kind, index: 0 };
  reader.frames.push(frame);
  reader.at++;
  if (kind === 'object') return 'key-or-end';
  reader.place = elementOf(frame);
  return 'value-or-end';
}

function close(reader: Reader): State {
  reader.frames.pop();
  reader.at++;
  return afterValue(reader);
}

function afterValue({ frames }: Reader): State {
  return frames.length === 0 ? 'done' : 'comma-or-end';
}

function readComma(reader: Reader): State {
  const frame = reader.frames.at(-1) as Frame;
  reader.at++;
  if (frame.kind === 'object') return 'key';
  frame.index++;
  reader.place = elementOf(frame);
  return 'value';
}

function readKey(reader: Reader): State {
  const frame = reader.frames.at(-1) as Frame;
  const view = readQuoted(reader);
  if (!view) return 'broken';
  reader.place = { pointer: `${frame.pointer}/${pointerStep(view.text)}`, key: view.text, parent: frame.key };
  addSpan(reader, 'key', view);
  skipSpace(reader);
  if (reader.text[reader.at] !== ':') return 'broken';
  reader.at++;
  return 'value';
}

function addSpan({ spans, place: { pointer, key, parent } }: Reader, kind: Span['kind'], view: View): void {
  spans.push({ pointer, key, parent, kind, view });
}

function readQuoted(reader: Reader): View | undefined {
  const end = closingQuote(reader.text, reader.at + 1);
  if (end < 0) return undefined;
  const view = unescapeJson(part(reader.source, reader.at + 1, end));
  reader.at = end + 1;
  return view;
}

/** A number or one of the three words. */
function readPlain(reader: Reader): State {
  PLAIN.lastIndex = reader.at;
  const word = PLAIN.exec(reader.text)?.[0] ?? '';
  const end = reader.at + word.length;
  if (NUMBER.test(word)) addSpan(reader, 'number', part(reader.source, reader.at, end));
  else if (word !== 'true' && word !== 'false' && word !== 'null') return 'broken';
  reader.at = end;
  return afterValue(reader);
}

const PLAIN = /[^\s,\]}:"[{]*/y;
const NUMBER = /^-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

function elementOf({ pointer, key, parent, index }: Frame): Place {
  return { pointer: `${pointer}/${index}`, key, parent };
}

/** A quote behind an odd number of backslashes is no end. */
function closingQuote(text: string, from: number): number {
  for (let quote = text.indexOf('"', from); quote >= 0; quote = text.indexOf('"', quote + 1)) {
    let before = quote;
    while (before > from && text[before - 1] === '\\') before--;
    if ((quote - before) % 2 === 0) return quote;
  }
  return -1;
}

function skipSpace(reader: Reader): void {
  while (SPACE.has(reader.text.charCodeAt(reader.at))) reader.at++;
}

const SPACE = new Set([0x20, 0x0a, 0x0d, 0x09]);
