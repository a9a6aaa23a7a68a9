import { UserError } from '../support/errors.ts';
import { nearest } from '../support/nearest.ts';
import type { Change, Pattern, PatternKind } from './pattern.ts';
import { PATTERNS } from './patterns.ts';

export type ParsedPattern = {
  /** As written, without spaces. */
  readonly text: string;
  readonly names: readonly string[];
  /** One for each part, to be applied in this order. */
  readonly changes: readonly Change[];
};

/** Reads `name[:argument]`, joined by `+`. Throws `UserError` for unknown names, bad arguments and senseless pairs. */
export function parsePattern(text: string): ParsedPattern {
  const parts = text.split('+').map((part) => part.trim());
  const read = parts.map((part) => readPart(part, text));
  const patterns = read.map(({ pattern }) => pattern);
  refuseSenselessPairs(patterns);
  return {
    text: parts.join('+'),
    names: patterns.map(({ name }) => name),
    changes: read.map(({ change }) => change),
  };
}

function readPart(part: string, text: string): { readonly pattern: Pattern; readonly change: Change } {
  const colon = part.indexOf(':');
  const name = colon < 0 ? part : part.slice(0, colon);
  const pattern = PATTERNS.find((known) => known.name === name);
  if (!pattern) throw unknownPattern(name, text);
  return { pattern, change: pattern.read(colon < 0 ? undefined : part.slice(colon + 1)) };
}

function unknownPattern(name: string, text: string): UserError {
  const names = PATTERNS.map((pattern) => pattern.name);
  const meant = nearest(name, names);
  const message = name
    ? `There is no pattern called "${name}".`
    : `"${text}" is not a pattern: a name is missing before, behind or between the plus signs.`;
  return new UserError('UNKNOWN_PATTERN', message, {
    hint: `${meant ? `Did you mean "${meant}"? ` : ''}Choose one of: ${names.join(', ')}.`,
  });
}

/** Why two patterns that decide different things still contradict each other. */
const CONTRADICTIONS: ReadonlyArray<readonly [string, string, reason: string]> = [
  [
    'burst',
    'retry',
    'a burst sends every retry whatever is answered, and "retry" sends one only when the answer asks for it',
  ],
  ['burst', 'delay', "a burst takes its times from the provider's own retry delays"],
];

const DECIDES: Record<PatternKind, string> = {
  multiply: 'both decide how often an event arrives',
  order: 'both decide the order',
  time: 'both decide the pauses',
  repeat: 'both decide the retries',
  none: '"once" means every event once and nothing else',
};

function refuseSenselessPairs(patterns: readonly Pattern[]): void {
  for (const [index, second] of patterns.entries()) {
    for (const first of patterns.slice(0, index)) {
      const reason = contradiction(first, second);
      if (!reason) continue;
      throw new UserError('SENSELESS_PATTERN', `"${first.name}" and "${second.name}" cannot be combined: ${reason}.`, {
        hint: `Leave one of them out, or replay twice.`,
      });
    }
  }
}

function contradiction(first: Pattern, second: Pattern): string | undefined {
  if (first.kind === 'none' || second.kind === 'none') return DECIDES.none;
  if (first.kind === second.kind) return DECIDES[first.kind];
  const pair = [first.name, second.name];
  return CONTRADICTIONS.find(([a, b]) => pair.includes(a) && pair.includes(b))?.[2];
}
