import type { Effect } from '../model/effect.ts';
import type { NormalEffect } from './normal-form.ts';

/** The `--ignore` that silences a whole table, or cells of it. */
export type IgnoreFor = (row: NormalEffect, columns?: readonly string[]) => readonly string[];

/** @param effects all that were seen, since a table that two sources have is named with its source */
export function ignoreFor(effects: Iterable<Pick<Effect, 'effect' | 'collection'>>): IgnoreFor {
  const sources = new Map<string, Set<string>>();
  for (const { effect, collection } of effects) {
    const known = sources.get(collection) ?? new Set();
    sources.set(collection, known.add(effect));
  }
  return (row, columns) => {
    const { effect, collection, raw } = row;
    if (isScalar(row)) return [raw.key === '' ? `${effect}:${collection}` : `${effect}#${raw.key}`];
    const isAmbiguous = (sources.get(collection)?.size ?? 0) > 1;
    const table = `${isAmbiguous ? `${effect}:` : ''}${collection === '' ? effect : collection}`;
    if (!columns) return [table];
    const members = columns.map((column) => ownColumn(row, column));
    // A key that differs cannot be ignored by itself.
    if (members.includes('(key)')) return [table];
    return [...new Set(members)].map((column) =>
      column.includes('/') ? `${effect}#${raw.key.replace(/[^/]*$/, '*')}/${column}` : `${table}.${column}`,
    );
  };
}

/** A value of a JSON document that stands by itself; its key is the pointer. */
function isScalar({ collection, raw }: NormalEffect): boolean {
  return collection === 'value' && (raw.key === '' || raw.key.startsWith('/'));
}

/** `body/order/id` was taken out of the column `body`; only elements of a JSON document have members of such names. */
function ownColumn({ raw }: NormalEffect, column: string): string {
  const isMember = raw.key.startsWith('/') && Object.hasOwn(raw.after ?? raw.before ?? {}, column);
  return isMember ? column : (column.split('/')[0] ?? column);
}
