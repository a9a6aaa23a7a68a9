import type { Cell, Effect } from '../model/effect.ts';
import { pushTo } from '../support/push-to.ts';
import { momentOf } from './moment.ts';

/** One place where an old row went and a new one came, by what the two have in common. */
type Likeness = string;

/**
 * Rows that are named by their content (lines, elements of a JSON array without ids, rows of a view) cannot change: an old
 * one goes and a new one comes. Where one such pair differs in numbers and times only, it is one row that changed, and
 * its numbers are compared like those of any total. Where somewhere several may be meant, none is joined anywhere.
 */
export function joinReplaced(stretches: ReadonlyArray<readonly Effect[]>): ReadonlyArray<readonly Effect[]> {
  const pairs = stretches.map(pairsIn);
  const unclear = new Set(
    pairs.flatMap((byLikeness) => [...byLikeness].flatMap(([likeness, rows]) => (isPair(rows) ? [] : likeness))),
  );
  return stretches.map((effects, index) => {
    const changes = new Map<Effect, Effect | undefined>();
    for (const [likeness, rows] of pairs[index] ?? []) {
      const [old, now] = rows.toSorted((row) => (row.kind === 'removed' ? -1 : 1));
      if (!old || !now || unclear.has(likeness)) continue;
      changes.set(now, changeOf(old, now));
      changes.set(old, undefined);
    }
    if (changes.size === 0) return effects;
    return effects.flatMap((effect) => (changes.has(effect) ? (changes.get(effect) ?? []) : [effect]));
  });
}

function pairsIn(effects: readonly Effect[]): ReadonlyMap<Likeness, readonly Effect[]> {
  const alike = new Map<Likeness, Effect[]>();
  if (!effects.some((effect) => effect.kind === 'removed' && isNamedByContent(effect))) return alike;
  for (const effect of effects) {
    if (effect.kind !== 'changed' && isNamedByContent(effect)) pushTo(alike, likenessOf(effect), effect);
  }
  return alike;
}

function isPair([one, other, ...more]: readonly Effect[]): boolean {
  return other !== undefined && more.length === 0 && one?.kind !== other.kind;
}

/** `/balances/5feceb66ffc86f38`, or a key in which the cells themselves stand. */
function isNamedByContent({ key, before, after }: Effect): boolean {
  if (/\/[0-9a-f]{16}(?:-\d+)?$/.test(key)) return true;
  const cells = Object.values(after ?? before ?? {});
  return cells.length > 0 && cells.every((cell) => key.includes(String(cell)));
}

const NUMBER = /(?<![\w.])-?\d+(?:\.\d+)?(?![\w.])/g;

function likenessOf({ effect, collection, before, after }: Effect): string {
  const cells = Object.entries(after ?? before ?? {}).map(([column, cell]) => `${column}=${wordsOf(cell)}`);
  return [effect, collection, ...cells.sort()].join('\n');
}

/** The cell without its numbers and times. */
function wordsOf(cell: Cell): string {
  if (typeof cell === 'number' || typeof cell === 'bigint') return '#';
  if (typeof cell !== 'string') return JSON.stringify(cell);
  return momentOf(cell) ? '#' : cell.replace(NUMBER, '#');
}

function changeOf(old: Effect, now: Effect): Effect {
  const [before, after] = [numbersApart(old.before), numbersApart(now.after)];
  const words = Object.values(now.after ?? {}).map(wordsOf);
  return { ...now, kind: 'changed', key: words.join(' '), before, after };
}

/** The numbers within a text become cells of their own: `line/0`. */
function numbersApart(cells: Effect['after']): Readonly<Record<string, Cell>> {
  const apart = Object.entries(cells ?? {}).flatMap(([column, cell]): readonly (readonly [string, Cell])[] => {
    if (typeof cell !== 'string' || momentOf(cell)) return [[column, cell]];
    const numbers = [...cell.matchAll(NUMBER)].map(([number], index) => [`${column}/${index}`, number] as const);
    return [[column, wordsOf(cell)], ...numbers];
  });
  return Object.fromEntries(apart);
}
