import type { Cell, Row } from '../model/effect.ts';
import { contentKey, distinctKeys, keyOf } from './row-key.ts';

export function exactInteger(text: string): number | bigint {
  const number = Number(text);
  return Number.isSafeInteger(number) ? number : BigInt(text);
}

/** Rows by their primary key; without one, rows that nothing tells apart are counted. */
export function rowsOf(
  names: readonly string[],
  key: readonly string[],
  values: ReadonlyArray<readonly Cell[]>,
): readonly Row[] {
  const keyAt = key.map((name) => names.indexOf(name));
  const distinct = distinctKeys();
  return values.map((cells) => ({
    key: distinct(keyOf(keyAt.map((index) => cells[index] ?? null)) ?? contentKey(cells)),
    cells: Object.fromEntries(names.map((name, index) => [name, cells[index] ?? null])),
  }));
}
