import { UserError } from '../support/errors.ts';
import { nearest } from '../support/nearest.ts';

/** One way to say which events are meant. */
export type Selector =
  /** Our id of an event, or a provider's. */
  | { readonly kind: 'id'; readonly id: string }
  | { readonly kind: 'last'; readonly count: number }
  | { readonly kind: 'tag'; readonly glob: string }
  | { readonly kind: 'type'; readonly glob: string }
  | { readonly kind: 'provider'; readonly glob: string }
  | { readonly kind: 'file'; readonly path: string }
  | { readonly kind: 'fixture'; readonly name: string }
  | { readonly kind: 'run'; readonly id: string }
  | { readonly kind: 'finding'; readonly id: string };

const PREFIXES: Readonly<Record<string, (rest: string) => Selector>> = {
  type: (glob) => ({ kind: 'type', glob }),
  provider: (glob) => ({ kind: 'provider', glob }),
  fixture: (name) => ({ kind: 'fixture', name }),
  run: (id) => ({ kind: 'run', id }),
  finding: (id) => ({ kind: 'finding', id }),
};

const SELECTOR_HELP =
  'An event is named by an id, last, last:5, @tag, type:invoice.*, provider:stripe, a file, or fixture:stripe/NAME.';

/**
 * @param fileExists only asked for words that look like a path: with a separator or an ending
 * @throws UserError `BAD_SELECTOR` with what was probably meant
 */
export function parseSelector(text: string, fileExists: (path: string) => boolean): Selector {
  if (text.startsWith('@') && text.length > 1) return { kind: 'tag', glob: text.slice(1) };
  if (text === 'last') return { kind: 'last', count: 1 };
  if (looksLikePath(text) && fileExists(text)) return { kind: 'file', path: text };
  const [, word, rest = ''] = /^([A-Za-z]+):(.*)$/s.exec(text) ?? [];
  if (word !== undefined) return withPrefix(text, word, rest);
  if (/^[^\s*@]+$/.test(text)) return { kind: 'id', id: text };
  throw bad(text, text.includes('*') ? `For a type, write "type:${text}".` : SELECTOR_HELP);
}

function withPrefix(text: string, word: string, rest: string): Selector {
  if (word === 'last') return { kind: 'last', count: lastCount(text, rest) };
  const make = Object.hasOwn(PREFIXES, word) ? PREFIXES[word] : undefined;
  if (make && rest === '') throw bad(text, `Say what follows, for example ${example(word)}.`);
  if (make) return make(rest);
  const close = nearest(word.toLowerCase(), [...Object.keys(PREFIXES), 'last']);
  if (close) throw bad(text, `Did you mean "${close}:${rest}"?`);
  // Some providers have a colon in their ids.
  return { kind: 'id', id: text };
}

function lastCount(text: string, rest: string): number {
  const count = /^\d+$/.test(rest) ? Number(rest) : 0;
  if (count > 0) return count;
  throw bad(text, 'Write "last", or "last:5" for the newest five.');
}

function looksLikePath(text: string): boolean {
  return /[/\\]|\.[A-Za-z0-9]+$/.test(text);
}

function example(word: string): string {
  const rest = { type: 'invoice.*', provider: 'stripe', fixture: 'stripe/invoice.paid' }[word] ?? 'Xt9Kp2';
  return `"${word}:${rest}"`;
}

function bad(text: string, hint: string): UserError {
  return new UserError('BAD_SELECTOR', `"${text}" names no events.`, { hint });
}
