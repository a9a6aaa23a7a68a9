import { UserError } from '../support/errors.ts';

/** A command's words; each character is one byte of the file. */
export type Words = readonly string[];

/** Where reading has come to: the one thing here that changes. */
type Scan = { readonly text: string; at: number };

const BLANK = new Set([' ', '\t']);
const ENDS = new Set(['\n', ';', '&', '|']);
const ESCAPES: Readonly<Record<string, string>> = {
  n: '\n',
  t: '\t',
  r: '\r',
  a: '\x07',
  b: '\b',
  e: '\x1b',
  E: '\x1b',
  f: '\f',
  v: '\v',
};

const ANSI_ESCAPE = /^\\(?:x([0-9a-fA-F]{1,2})|u([0-9a-fA-F]{1,4})|U([0-9a-fA-F]{1,8})|([0-7]{1,3})|([\s\S]))/;

/**
 * Splits a script into commands and words as bash does: '..', "..", $'..', backslash at a line's end, comments.
 * @param text latin1, so that each character is a byte
 */
export function shellCommands(text: string): readonly Words[] {
  const scan: Scan = { text: text.replaceAll('\r\n', '\n'), at: 0 };
  const commands: string[][] = [[]];
  while (scan.at < scan.text.length) {
    const char = scan.text[scan.at] as string;
    if (BLANK.has(char)) scan.at++;
    else if (ENDS.has(char)) {
      scan.at++;
      commands.push([]);
    } else if (char === '#') scan.at = endOfLine(scan);
    else if (scan.text.startsWith('\\\n', scan.at)) scan.at += 2;
    else commands.at(-1)?.push(readWord(scan));
  }
  return commands.filter((words) => words.length > 0);
}

function readWord(scan: Scan): string {
  let word = '';
  for (;;) {
    const char = scan.text[scan.at];
    if (char === undefined || BLANK.has(char) || ENDS.has(char)) return word;
    if (char === "'") word += readSingle(scan);
    else if (char === '"') word += readDouble(scan);
    else if (scan.text.startsWith("$'", scan.at)) word += readAnsi(scan);
    else if (char === '\\') word += readBackslash(scan);
    else word += readPlain(scan);
  }
}

function readSingle(scan: Scan): string {
  const end = scan.text.indexOf("'", scan.at + 1);
  if (end < 0) throw unclosed("'");
  const text = scan.text.slice(scan.at + 1, end);
  scan.at = end + 1;
  return text;
}

function readDouble(scan: Scan): string {
  let text = '';
  scan.at++;
  for (;;) {
    const char = scan.text[scan.at];
    if (char === undefined) throw unclosed('"');
    if (char === '"') {
      scan.at++;
      return text;
    }
    if (char === '\\' && /["\\$`\n]/.test(scan.text[scan.at + 1] ?? '')) text += readBackslash(scan);
    else text += readPlain(scan);
  }
}

function readBackslash(scan: Scan): string {
  const next = scan.text[scan.at + 1] ?? '';
  scan.at += 2;
  return next === '\n' ? '' : next;
}

function readPlain(scan: Scan): string {
  const rest = scan.text.slice(scan.at, scan.at + 40);
  const variable = /^(?:\$[A-Za-z_{(]\w*|`)/.exec(rest)?.[0];
  if (variable !== undefined) {
    throw new UserError('BAD_CURL', `"${variable}" stands for a value that only your shell knows.`, {
      hint: 'Put the value itself in its place, or use single quotes if the text is meant as it stands.',
    });
  }
  return scan.text[scan.at++] as string;
}

function readAnsi(scan: Scan): string {
  let text = '';
  scan.at += 2;
  for (;;) {
    const char = scan.text[scan.at];
    if (char === undefined) throw unclosed("$'");
    if (char === "'") {
      scan.at++;
      return text;
    }
    if (char === '\\') text += readAnsiEscape(scan);
    else {
      text += char;
      scan.at++;
    }
  }
}

function readAnsiEscape(scan: Scan): string {
  const match = ANSI_ESCAPE.exec(scan.text.slice(scan.at, scan.at + 12));
  if (!match) throw unclosed("$'");
  const [whole, hex, short, long, octal, single = ''] = match;
  scan.at += whole.length;
  if (hex !== undefined) return String.fromCharCode(Number.parseInt(hex, 16));
  if (octal !== undefined) return String.fromCharCode(Number.parseInt(octal, 8) & 0xff);
  const point = short ?? long;
  if (point !== undefined) return utf8AsLatin1(Number.parseInt(point, 16));
  return ESCAPES[single] ?? (/["'?\\]/.test(single) ? single : `\\${single}`);
}

function utf8AsLatin1(codePoint: number): string {
  return Buffer.from(String.fromCodePoint(Math.min(codePoint, 0x10ffff)), 'utf8').toString('latin1');
}

function endOfLine({ text, at }: Scan): number {
  const feed = text.indexOf('\n', at);
  return feed < 0 ? text.length : feed;
}

function unclosed(quote: string): UserError {
  return new UserError('BAD_CURL', `A quote that starts with ${quote} is never closed.`, {
    hint: 'Copy the whole command, to its last line.',
  });
}
