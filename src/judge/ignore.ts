import type { Effect } from '../model/effect.ts';
import { UserError } from '../support/errors.ts';
import { globPattern } from '../support/glob.ts';

/** One `--ignore`: bookkeeping that may change on a duplicate. */
export type IgnoreRule = {
  readonly kind: 'table' | 'pointer';
  /** As the user wrote it. */
  readonly text: string;
  /** Of one effect only; absent for all. */
  readonly effect?: RegExp | undefined;
  /** Of `table`, of `table.column`, or of the JSON pointer. */
  readonly parts: readonly RegExp[];
};

/** Where something stands: a whole collection, or with `column` one cell of it. */
export type Place = {
  readonly effect: string;
  readonly collection: string;
  readonly column?: string | undefined;
  /** The JSON pointer, for what comes from a JSON document. */
  readonly pointer?: string | undefined;
};

/**
 * Reads `table`, `table.column`, `effect:table.column` or `effect#/pointer`. Case-sensitive; `*` stands for any
 * characters within one part; a pointer covers all that is below it.
 */
export function parseIgnore(text: string): IgnoreRule {
  const [, effectOfPointer, pointer] = /^([^#]*)#(.*)$/s.exec(text) ?? [];
  if (effectOfPointer !== undefined && pointer !== undefined) {
    if (effectOfPointer === '' || effectOfPointer.includes(':') || !pointer.startsWith('/')) throw malformed(text);
    return {
      text,
      kind: 'pointer',
      effect: globPattern(effectOfPointer),
      parts: pointer.slice(1).split('/').map(globPattern),
    };
  }
  const colon = text.indexOf(':');
  const effect = colon < 0 ? undefined : text.slice(0, colon);
  const parts = text.slice(colon + 1).split('.');
  if (effect === '' || parts.includes('') || /[/:]/.test(parts.join('')) || text.trim() !== text) throw malformed(text);
  return {
    text,
    kind: 'table',
    effect: effect === undefined ? undefined : globPattern(effect),
    parts: parts.map(globPattern),
  };
}

export function isIgnored(rules: readonly IgnoreRule[], place: Place): boolean {
  return rules.some((rule) => matches(rule, place));
}

/**
 * The effects without what the rules silence: whole rows, or cells. A changed row in which nothing else changed is no
 * effect, and a removed and an added row that differed only in what is ignored are none either.
 */
export function applyIgnore(effects: readonly Effect[], rules: readonly IgnoreRule[]): readonly Effect[] {
  if (rules.length === 0) return effects;
  const trimmed = new Set<Effect>();
  const left = effects.flatMap((effect) => {
    const kept = withoutIgnored(effect, rules);
    if (kept && kept !== effect) trimmed.add(kept);
    return kept ? [kept] : [];
  });
  return withoutReplaced(left, trimmed);
}

/** The rules that match nothing of all that was seen, as the user wrote them: likely misspelt. */
export function unusedRules(rules: readonly IgnoreRule[], effects: readonly Effect[]): readonly string[] {
  return rules.filter((rule) => !effects.some((effect) => touches(rule, effect))).map(({ text }) => text);
}

function malformed(text: string): UserError {
  return new UserError('BAD_IGNORE', `"${text}" is not something to ignore (--ignore).`, {
    hint: 'Write it as table, table.column, effect:table.column or effect#/json/pointer; * stands for any characters within one part.',
  });
}

/** A collection may have dots of its own (`public.orders`), so names are compared part by part from the left. */
function matches(rule: IgnoreRule, { effect, collection, column, pointer }: Place): boolean {
  if (rule.effect && !rule.effect.test(effect)) return false;
  if (rule.kind === 'pointer') return pointer !== undefined && covers(rule.parts, pointer.split('/').slice(1));
  const table = collection.split('.');
  if (rule.parts.length === table.length) return covers(rule.parts, table);
  if (column === undefined) return false;
  const cell = [...table, ...column.split('.')];
  return rule.parts.length === cell.length && covers(rule.parts, cell);
}

function covers(parts: readonly RegExp[], names: readonly string[]): boolean {
  return parts.length <= names.length && parts.every((part, index) => part.test(names[index] ?? ''));
}

function touches(rule: IgnoreRule, effect: Effect): boolean {
  const columns = Object.keys({ ...effect.before, ...effect.after });
  return isIgnored([rule], rowPlace(effect)) || columns.some((column) => isIgnored([rule], cellPlace(effect, column)));
}

/** Rows of a JSON document have their pointer as the key. */
function rowPlace({ effect, collection, key }: Effect): Place {
  return { effect, collection, pointer: isPointer(key) ? key : undefined };
}

function cellPlace({ effect, collection, key }: Effect, column: string): Place {
  const isScalar = collection === 'value' && column === 'value';
  const pointer = isScalar ? key : `${key}/${column}`;
  return { effect, collection, column, pointer: isPointer(key) ? pointer : undefined };
}

function isPointer(key: string): boolean {
  return key === '' || key.startsWith('/');
}

function withoutIgnored(effect: Effect, rules: readonly IgnoreRule[]): Effect | undefined {
  if (isIgnored(rules, rowPlace(effect))) return undefined;
  const columns = Object.keys({ ...effect.before, ...effect.after });
  const ignored = new Set(columns.filter((column) => isIgnored(rules, cellPlace(effect, column))));
  if (ignored.size === 0) return effect;
  if (ignored.size === columns.length) return undefined;
  const before = withoutColumns(effect.before, ignored);
  const after = withoutColumns(effect.after, ignored);
  if (effect.kind === 'changed' && contentOf(before) === contentOf(after)) return undefined;
  return { ...effect, before, after };
}

type Cells = NonNullable<Effect['after']>;

function withoutColumns(cells: Cells | null, ignored: ReadonlySet<string>): Cells | null {
  return cells && Object.fromEntries(Object.entries(cells).filter(([column]) => !ignored.has(column)));
}

/** Takes away pairs of a removed and an added row that are equal since their cells were trimmed. */
function withoutReplaced(effects: readonly Effect[], trimmed: ReadonlySet<Effect>): readonly Effect[] {
  const removed = new Map<string, Effect[]>();
  for (const effect of effects) {
    if (effect.kind !== 'removed' || !trimmed.has(effect)) continue;
    const same = removed.get(placeAndContent(effect)) ?? [];
    removed.set(placeAndContent(effect), [...same, effect]);
  }
  const gone = new Set<Effect>();
  for (const effect of effects) {
    if (effect.kind !== 'added' || !trimmed.has(effect)) continue;
    const partner = removed.get(placeAndContent(effect))?.pop();
    if (partner) gone.add(effect).add(partner);
  }
  return gone.size === 0 ? effects : effects.filter((effect) => !gone.has(effect));
}

function placeAndContent({ effect, collection, before, after }: Effect): string {
  return JSON.stringify([effect, collection, contentOf(before ?? after)]);
}

function contentOf(cells: Cells | null): string {
  const entries = Object.entries(cells ?? {}).sort(([a], [b]) => (a < b ? -1 : 1));
  return JSON.stringify(entries, (_name, value) => (typeof value === 'bigint' ? { bigint: String(value) } : value));
}
