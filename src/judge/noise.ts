import { pushTo } from '../support/push-to.ts';
import { type ClockColumns, learnClockColumns } from './clock-columns.ts';
import { sameTexts } from './multiset.ts';
import type { NormalCell } from './normal-cell.ts';
import { isTouchColumn, type NormalEffect } from './normal-form.ts';
import { cellAt, eachCell } from './row-cells.ts';
import { learnGeneratedColumns, learnStableKeys, type StableKey } from './row-keys.ts';

/** What differs each time anyway says nothing: generated keys, times, sequences, random tokens. */
export type Noise = {
  /**
   * What a cell says once noise is taken from it, in one word that can be compared; `undefined` when it says nothing.
   * Of a column that differs each time it still says whether there is a value.
   */
  readonly signal: (row: NormalEffect, column: string) => string | undefined;
  /** The row's key when it can be foreseen; `undefined` for a generated one. */
  readonly stableKey: StableKey;
};

/** Some value of a column whose values are noise. */
const ANY = '(some value)';

/** Learns from two runs of the same events what differs between them. */
export function learnNoise(a: readonly NormalEffect[], b: readonly NormalEffect[]): Noise {
  const clock = learnClockColumns(a);
  const stableKey = learnStableKeys(a, b);
  const noiseOf = learnNoisyColumns({ a, b, clock, stableKey });
  const isGenerated = learnGeneratedColumns([...a, ...b]);
  const signal = (row: NormalEffect, column: string) => {
    const cell = cellAt(row, column);
    if (!cell || isGenerated(row, column)) return undefined;
    if ((cell.isNow || cell.text === 'NULL') && isTouchColumn(column)) return undefined;
    const noise = noiseOf(row, column, cell);
    if (noise === 'none') return wordOf({ row, column, cell, clock });
    if (noise === 'all' || row.isShared) return undefined;
    return cell.text === 'NULL' ? 'NULL' : ANY;
  };
  return { signal, stableKey };
}

type Reading = {
  readonly row: NormalEffect;
  readonly column: string;
  readonly cell: NormalCell;
  readonly clock: ClockColumns;
};

function wordOf({ row, column, cell, clock }: Reading): string {
  if (cell.growth) return `${cell.growth.by >= 0 ? '+' : ''}${cell.growth.by}`;
  return clock.canonical(row, column, cell);
}

/** `value`: another value each time, but always one (or always NULL) in the same rows; `all`: not even that. */
type NoiseKind = 'none' | 'value' | 'all';
type NoiseOf = (row: NormalEffect, column: string, cell: NormalCell) => NoiseKind;

type Learning = {
  readonly a: readonly NormalEffect[];
  readonly b: readonly NormalEffect[];
  readonly clock: ClockColumns;
  readonly stableKey: StableKey;
};

function learnNoisyColumns(learning: Learning): NoiseOf {
  const { a, b, clock } = learning;
  const [left, right] = [wordsByColumn(a, clock), wordsByColumn(b, clock)];
  const noisy = new Map<string, Map<string, NoiseKind>>();
  for (const group of new Set([...left.keys(), ...right.keys()])) {
    const [mine, other] = [left.get(group), right.get(group)];
    const kinds = new Map<string, NoiseKind>();
    for (const column of new Set([...(mine?.keys() ?? []), ...(other?.keys() ?? [])])) {
      const kind = noiseBetween(mine?.get(column), other?.get(column));
      if (kind !== 'none') kinds.set(column, kind);
    }
    noisy.set(group, kinds);
  }
  const isNoisy = (group: string, column: string) => noisy.get(group)?.has(column) ?? false;
  const quiet = learnQuietCells(learning, isNoisy);
  return (row, column, cell) => {
    const kind = noisy.get(row.group)?.get(column);
    if (kind !== undefined) return quiet.size > 0 && quiet.has(cellName(row, column)) ? 'none' : kind;
    // A changed text whose column holds another one in each row that is added is a token; a number may still be a total.
    const isToken = row.kind === 'changed' && !cell.growth && isNoisy(`${row.table}|added`, column);
    return isToken ? 'all' : 'none';
  };
}

/** Where rows have names of their own (a JSON pointer), the noise of one says nothing about the others. */
function learnQuietCells(
  { a, b, clock, stableKey }: Learning,
  isNoisy: (group: string, column: string) => boolean,
): ReadonlySet<string> {
  const wordsByCell = (rows: readonly NormalEffect[]) => {
    const words = new Map<string, string[]>();
    for (const row of rows) {
      if (stableKey(row) === undefined) continue;
      eachCell(row, (column, cell) => {
        if (!isNoisy(row.group, column)) return;
        const name = cellName(row, column);
        words.set(name, [...(words.get(name) ?? []), wordOf({ row, column, cell, clock })]);
      });
    }
    return words;
  };
  const [left, right] = [wordsByCell(a), wordsByCell(b)];
  const same = [...left].filter(([name, words]) => noiseBetween(words, right.get(name)) === 'none');
  return new Set(same.map(([name]) => name));
}

type Words = ReadonlyMap<string, ReadonlyMap<string, readonly string[]>>;

/** By group, then by column. */
function wordsByColumn(rows: readonly NormalEffect[], clock: ClockColumns): Words {
  const groups = new Map<string, Map<string, string[]>>();
  for (const row of rows) {
    const columns = groups.get(row.group) ?? new Map<string, string[]>();
    groups.set(row.group, columns);
    eachCell(row, (column, cell) => pushTo(columns, column, wordOf({ row, column, cell, clock })));
  }
  return groups;
}

function noiseBetween(a: readonly string[] = [], b: readonly string[] = []): NoiseKind {
  if (sameTexts(a, b)) return 'none';
  const nulls = (words: readonly string[]) => words.filter((word) => word === 'NULL').length;
  return a.length === b.length && nulls(a) === nulls(b) ? 'value' : 'all';
}

function cellName(row: NormalEffect, column: string): string {
  return `${row.group}|${column}|${row.key}`;
}
