import { pushTo } from '../support/push-to.ts';
import { sameTexts } from './multiset.ts';
import type { NormalEffect } from './normal-form.ts';
import { eachCell } from './row-cells.ts';

/** A row's key when it can be foreseen; `undefined` for a generated one. */
export type StableKey = (row: NormalEffect) => string | undefined;

/** Keys that came out the same twice. A number is a place in a sequence, which begins anew where state is reset. */
export function learnStableKeys(a: readonly NormalEffect[], b: readonly NormalEffect[]): StableKey {
  const [left, right] = [keysByGroup(a), keysByGroup(b)];
  const stable = new Set(
    [...left].filter(([group, keys]) => sameTexts(keys, right.get(group) ?? [])).map(([group]) => group),
  );
  return (row) => {
    if (!stable.has(row.group)) return undefined;
    return row.kind !== 'changed' && sequenceOf(row) !== undefined ? undefined : row.key;
  };
}

/** Columns that hold the row's generated number and are called like one; by value alone `quantity` 1 in row 1 would be one. */
export function learnGeneratedColumns(rows: readonly NormalEffect[]): (row: NormalEffect, column: string) => boolean {
  const tables = new Map<string, Map<string, boolean>>();
  const isNumberColumn = remember((column) => NUMBER_COLUMN.test(column));
  for (const row of rows) {
    if (row.kind === 'changed') continue;
    const columns = tables.get(row.table) ?? new Map<string, boolean>();
    tables.set(row.table, columns);
    let sequence: string | undefined;
    eachCell(row, (column, { text }) => {
      if (!isNumberColumn(column) || columns.get(column) === false) return;
      sequence ??= sequenceOf(row) ?? '';
      columns.set(column, text === sequence);
    });
  }
  return (row, column) => tables.get(row.table)?.get(column) ?? false;
}

const NUMBER_COLUMN = /^(?:_?id|rowid|pk|seq|no|number)$|_(?:id|seq|no|number)$|[a-z]I[dD]$/i;

/** `17`, `rowid 17`, `/orders/17`. */
function sequenceOf({ key }: NormalEffect): string | undefined {
  return /(?:^|^rowid |\/)(\d+)$/.exec(key)?.[1];
}

function keysByGroup(rows: readonly NormalEffect[]): ReadonlyMap<string, readonly string[]> {
  const keys = new Map<string, string[]>();
  for (const row of rows) pushTo(keys, row.group, row.key);
  return keys;
}

/** There are few columns and many rows. */
function remember(test: (column: string) => boolean): (column: string) => boolean {
  const known = new Map<string, boolean>();
  return (column) => {
    const before = known.get(column);
    if (before !== undefined) return before;
    const now = test(column);
    known.set(column, now);
    return now;
  };
}
