import type { Cell, Effect } from '../model/effect.ts';
import { pushTo } from '../support/push-to.ts';
import { momentOf } from './moment.ts';

/**
 * Rows that are named by their content (lines, elements of a JSON array without ids, rows of a view) cannot change: an old
 * one goes and a new one comes. Where one such pair differs in numbers and times only, it is one row that changed, and
 * its numbers are compared like those of any total.
 */
export function joinReplaced(effects: readonly Effect[]): readonly Effect[] {
  if (!effects.some((effect) => effect.kind === 'removed' && isNamedByContent(effect))) return effects;
  const alike = new Map<string, Effect[]>();
  for (const effect of effects) {
    if (effect.kind !== 'changed' && isNamedByContent(effect)) pushTo(alike, likenessOf(effect), effect);
  }
  const changes = new Map<Effect, Effect | undefined>();
  for (const [, pair] of alike) {
    const [old, now] = pair.toSorted((a) => (a.kind === 'removed' ? -1 : 1));
    if (!old || !now || pair.length !== 2 || old.kind === now.kind) continue;
    changes.set(now, changeOf(old, now));
    changes.set(old, undefined);
  }
  return effects.flatMap((effect) => (changes.has(effect) ? (changes.get(effect) ?? []) : [effect]));
}

/** `/balances/5feceb66ffc86f38`, or a key in which the cells themselves stand. */
function isNamedByContent({ key, before, after }: Effect): boolean {
  if (/\/[0-9a-f]{16}(?:-\d+)?$/.test(key)) return true;
  const cells = Object.entries(after ?? before ?? {});
  return (
    cells.length > 0 &&
    cells.every(([column, cell]) => (cells.length > 1 || column === 'line') && key.includes(String(cell)))
  );
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
