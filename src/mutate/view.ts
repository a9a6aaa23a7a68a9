/**
 * Decoded text that knows where it stands in the bytes. One character of `text` may be several bytes (an escape, `%40`);
 * what is not decoded is latin1: one character, one byte.
 */
export type View = {
  readonly text: string;
  /** Byte offset of the first character. */
  readonly start: number;
  /** Byte offset of every character and, last, of the end; absent when each character is one byte. */
  readonly offsets?: readonly number[] | undefined;
};

export function byteAt({ start, offsets }: View, index: number): number {
  return offsets ? (offsets[index] as number) : start + index;
}

export function part(view: View, from: number, to: number): View {
  return {
    text: view.text.slice(from, to),
    start: byteAt(view, from),
    offsets: view.offsets?.slice(from, to + 1),
  };
}

/** Reads backslash escapes as JSON does; a broken one stays as it is. Characters beyond a byte become U+FFFD: ids have none. */
export function unescapeJson(view: View): View {
  return view.text.includes('\\') ? decode(view, JSON_ESCAPE, jsonCharacter) : view;
}

/** Reads `%40` as a character. */
export function unescapePercent(view: View): View {
  return view.text.includes('%') ? decode(view, PERCENT, percentCharacter) : view;
}

/** Reads `%40` and `+` as forms do. */
export function unescapeForm(view: View): View {
  return /[%+]/.test(view.text) ? decode(view, FORM, percentCharacter) : view;
}

const JSON_ESCAPE = /\\(?:u[0-9a-fA-F]{4}|["\\/bfnrt])/g;
const PERCENT = /%[0-9a-fA-F]{2}/g;
const FORM = /%[0-9a-fA-F]{2}|\+/g;
const SHORT_ESCAPES: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' };

function jsonCharacter(sequence: string): string {
  const letter = sequence[1] as string;
  if (letter !== 'u') return SHORT_ESCAPES[letter] ?? letter;
  const unit = Number.parseInt(sequence.slice(2), 16);
  return unit > 0xff ? '\ufffd' : String.fromCharCode(unit);
}

function percentCharacter(sequence: string): string {
  return sequence === '+' ? ' ' : String.fromCharCode(Number.parseInt(sequence.slice(1), 16));
}

function decode(view: View, escapes: RegExp, characterOf: (sequence: string) => string): View {
  const pieces: string[] = [];
  const offsets: number[] = [];
  let copied = 0;
  const copyTo = (end: number) => {
    for (let index = copied; index < end; index++) offsets.push(byteAt(view, index));
    pieces.push(view.text.slice(copied, end));
  };
  for (const { 0: sequence, index } of view.text.matchAll(escapes)) {
    copyTo(index);
    offsets.push(byteAt(view, index));
    pieces.push(characterOf(sequence));
    copied = index + sequence.length;
  }
  copyTo(view.text.length);
  offsets.push(byteAt(view, view.text.length));
  return { text: pieces.join(''), start: view.start, offsets };
}
