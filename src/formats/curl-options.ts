import { UserError } from '../support/errors.ts';
import { nearest } from '../support/nearest.ts';
import type { Words } from './shell-words.ts';

/** One option of a curl command in its long form, or a URL. */
export type CurlArgument = { readonly name: string; readonly value: string };

/** What changes the request; all of these have a value. */
const WITH_VALUE: Readonly<Record<string, string>> = {
  X: 'request',
  H: 'header',
  d: 'data',
  u: 'user',
  A: 'user-agent',
  e: 'referer',
  b: 'cookie',
};
const LONG_WITH_VALUE = new Set([
  ...Object.values(WITH_VALUE),
  'data-ascii',
  'data-raw',
  'data-binary',
  'data-urlencode',
  'json',
  'url',
]);

const WITHOUT_VALUE: Readonly<Record<string, string>> = { G: 'get', I: 'head' };

/** How the request travels and what is shown of the answer: nothing that the receiver sees. */
const IGNORED_SHORT = new Set('ksSLivfgN#0123469aqRnOJjlZ'.split(''));
const IGNORED_SHORT_WITH_VALUE = new Set('omxwEcDryYKCzP'.split(''));
const IGNORED_LONG_WITH_VALUE = new Set([
  'output',
  'max-time',
  'connect-timeout',
  'proxy',
  'write-out',
  'cert',
  'key',
  'cacert',
  'resolve',
  'connect-to',
  'retry',
  'retry-delay',
  'retry-max-time',
  'cookie-jar',
  'dump-header',
  'limit-rate',
  'max-redirs',
  'interface',
  'noproxy',
  'config',
]);

const IGNORED_LONG = new Set(['path-as-is', 'globoff', 'compressed', 'insecure', 'location', 'silent', 'show-error']);

const REFUSED: Readonly<Record<string, string>> = {
  F: 'form',
  T: 'upload-file',
  form: 'form',
  'form-string': 'form',
  'upload-file': 'upload-file',
};

/** @param words of one command, without `curl` itself */
export function curlArguments(words: Words): readonly CurlArgument[] {
  const found: CurlArgument[] = [];
  const queue = [...words];
  for (let word = queue.shift(); word !== undefined; word = queue.shift()) {
    if (word.startsWith('--') && word.length > 2) found.push(...readLong(word, queue));
    else if (word.startsWith('-') && word.length > 1) found.push(...readShort(word, queue));
    else found.push({ name: 'url', value: word });
  }
  return found;
}

function readLong(word: string, queue: string[]): readonly CurlArgument[] {
  const name = word.slice(2);
  refuse(REFUSED[name], word);
  if (LONG_WITH_VALUE.has(name)) return [{ name, value: take(queue, word) }];
  if (name === 'get' || name === 'head') return [{ name, value: '' }];
  if (IGNORED_LONG_WITH_VALUE.has(name)) take(queue, word);
  else if (!IGNORED_LONG.has(name) && queue[0] !== undefined && looksMistyped(name)) throw unknown(word);
  return [];
}

/** Several letters may stand together, and the last one's value may follow it at once: `-sXPOST`. */
function readShort(word: string, queue: string[]): readonly CurlArgument[] {
  const found: CurlArgument[] = [];
  for (let at = 1; at < word.length; at++) {
    const letter = word[at] as string;
    const rest = word.slice(at + 1);
    refuse(REFUSED[letter], `-${letter}`);
    const name = WITH_VALUE[letter];
    if (name !== undefined) return [...found, { name, value: rest || take(queue, `-${letter}`) }];
    if (IGNORED_SHORT_WITH_VALUE.has(letter)) {
      if (rest === '') take(queue, `-${letter}`);
      return found;
    }
    const flag = WITHOUT_VALUE[letter];
    if (flag !== undefined) found.push({ name: flag, value: '' });
    else if (!IGNORED_SHORT.has(letter)) throw unknown(`-${letter}`);
  }
  return found;
}

function take(queue: string[], option: string): string {
  const value = queue.shift();
  if (value !== undefined) return value;
  throw new UserError('BAD_CURL', `The command ends behind "${option}", which needs a value.`, {
    hint: 'Copy the whole command, to its last line.',
  });
}

/** An unknown flag without a value does no harm; one that is nearly a known one with a value would swallow it. */
function looksMistyped(name: string): boolean {
  return nearest(name, [...LONG_WITH_VALUE]) !== undefined;
}

function refuse(what: string | undefined, option: string): void {
  if (what === undefined) return;
  throw new UserError('BAD_CURL', `"${option}" builds a body that is not in the command itself.`, {
    hint:
      what === 'form'
        ? 'curl draws a new multipart boundary each time. Send it once to: webhook-replay capture'
        : 'Give the file itself: webhook-replay import FILE --format body',
  });
}

function unknown(option: string): UserError {
  const close = nearest(option.replace(/^-+/, ''), [...LONG_WITH_VALUE]);
  return new UserError('BAD_CURL', `"${option}" is no option of curl that is understood here.`, {
    hint: close ? `Did you mean --${close}?` : 'Remove it if the receiver does not see it.',
  });
}
