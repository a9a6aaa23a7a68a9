import { type ClockColumns, learnClockColumns } from './clock-columns.ts';
import { isTouchColumn, type NormalCell, type NormalEffect } from './normal-form.ts';
import { groupOf, pushTo, tableOf } from './places.ts';

/** What differs each time anyway says nothing: generated keys, times, sequences, random tokens. */
export type Noise = {
  /**
   * What a cell says once noise is taken from it, in one word that can be compared; `undefined` when it says nothing.
   * Of a column that differs each time it still says whether there is a value.
   */
  readonly signal: (row: NormalEffect, column: string) => string | undefined;
  /** The row's key when it can be foreseen; `undefined` for a generated one. */
  readonly stableKey: (row: NormalEffect) => string | undefined;
};

/** Some value of a column whose values are noise. */
const ANY = '(some value)';

/** Learns from two runs of the same events what differs between them. */
export function learnNoise(a: readonly NormalEffect[], b: readonly NormalEffect[]): Noise {
  const clock = learnClockColumns(a);
  const keys = learnStableKeys(a, b);
  const columns = learnNoisyColumns({ a, b, clock, stableKey: keys.stableKey });
  const generated = learnGeneratedColumns([...a, ...b]);
  const signal = (row: NormalEffect, column: string) => {
    const cell = row.cells.get(column);
    if (!cell || generated.has(`${tableOf(row)}|${column}`)) return undefined;
    if (isTouchColumn(column) && (cell.isNow || cell.text === 'NULL')) return undefined;
    const noise = columns.noiseOf(row, column, cell);
    if (noise === 'none') return signalOf(row, column, { cell, clock });
    if (noise === 'all' || row.isShared) return undefined;
    return cell.text === 'NULL' ? 'NULL' : ANY;
  };
  return { signal, stableKey: keys.stableKey };
}

type Reading = { readonly cell: NormalCell; readonly clock: ClockColumns };

function signalOf(row: NormalEffect, column: string, { cell, clock }: Reading): string {
  if (cell.growth) return `${cell.growth.by >= 0 ? '+' : ''}${cell.growth.by}`;
  return clock.canonical(row, column, cell);
}

type StableKeys = Pick<Noise, 'stableKey'>;

/** Keys that came out the same twice. A number is a place in a sequence, which begins anew where state is reset. */
function learnStableKeys(a: readonly NormalEffect[], b: readonly NormalEffect[]): StableKeys {
  const [left, right] = [keysOf(a), keysOf(b)];
  const stable = new Set<string>();
  for (const [group, keys] of left) {
    if (keys.sort().join('\n') === right.get(group)?.sort().join('\n')) stable.add(group);
  }
  return {
    stableKey: (row) => {
      if (!stable.has(groupOf(row))) return undefined;
      return row.kind !== 'changed' && sequenceOf(row) !== undefined ? undefined : row.key;
    },
  };
}

function keysOf(rows: readonly NormalEffect[]): Map<string, string[]> {
  const keys = new Map<string, string[]>();
  for (const row of rows) pushTo(keys, groupOf(row), row.key);
  return keys;
}

/** `17`, `rowid 17`, `/orders/17`. */
function sequenceOf({ key }: NormalEffect): string | undefined {
  return /(?:^|^rowid |\/)(\d+)$/.exec(key)?.[1];
}

/** Columns that hold the row's generated number and are called like one; by value alone `quantity` 1 in row 1 would be one. */
function learnGeneratedColumns(rows: readonly NormalEffect[]): ReadonlySet<string> {
  const generated = new Set<string>();
  const refuted = new Set<string>();
  for (const row of rows) {
    if (row.kind === 'changed') continue;
    const sequence = sequenceOf(row);
    for (const [column, { text }] of row.cells) {
      if (!/^(?:_?id|rowid|pk|seq|no|number)$|_(?:id|seq|no|number)$|[a-z]I[dD]$/i.test(column)) continue;
      (text === sequence ? generated : refuted).add(`${tableOf(row)}|${column}`);
    }
  }
  for (const column of refuted) generated.delete(column);
  return generated;
}

type NoisyColumns = {
  readonly noiseOf: (row: NormalEffect, column: string, cell: NormalCell) => 'none' | 'value' | 'all';
};

type Learning = StableKeys & {
  readonly a: readonly NormalEffect[];
  readonly b: readonly NormalEffect[];
  readonly clock: ClockColumns;
};

/** `value`: another value each time, but always one (or always NULL) in the same rows; `all`: not even that. */
function learnNoisyColumns({ a, b, clock, stableKey }: Learning): NoisyColumns {
  const noisy = new Map<string, 'value' | 'all'>();
  const [left, right] = [valuesByColumn(a, clock), valuesByColumn(b, clock)];
  for (const column of new Set([...left.keys(), ...right.keys()])) {
    const noise = noiseBetween(left.get(column), right.get(column));
    if (noise !== 'none') noisy.set(column, noise);
  }
  const quiet = learnQuietRows({ a, b, clock, stableKey }, noisy);
  return {
    noiseOf: (row, column, cell) => {
      const noise = noisy.get(columnOf(row, column));
      if (noise) return quiet.has(`${columnOf(row, column)}|${row.key}`) ? 'none' : noise;
      return isToken(row, column, cell) ? 'all' : 'none';
    },
  };

  /** A changed text whose column holds another one in each row that is added is a token; a number may still be a total. */
  function isToken(row: NormalEffect, column: string, cell: NormalCell): boolean {
    return row.kind === 'changed' && !cell.growth && noisy.has(`${tableOf(row)}|added|${column}`);
  }
}

/** Where rows have names of their own (a JSON pointer), the noise of one says nothing about the others. */
function learnQuietRows(
  { a, b, clock, stableKey }: Learning,
  noisy: ReadonlyMap<string, unknown>,
): ReadonlySet<string> {
  const values = (rows: readonly NormalEffect[]) => {
    const byRow = new Map<string, string[]>();
    for (const row of rows) {
      if (stableKey(row) === undefined) continue;
      for (const [column, cell] of row.cells) {
        const name = columnOf(row, column);
        if (noisy.has(name)) pushTo(byRow, `${name}|${row.key}`, signalOf(row, column, { cell, clock }));
      }
    }
    return byRow;
  };
  const [left, right] = [values(a), values(b)];
  const same = [...left].filter(([place, texts]) => noiseBetween(texts, right.get(place)) === 'none');
  return new Set(same.map(([place]) => place));
}

function valuesByColumn(rows: readonly NormalEffect[], clock: ClockColumns): ReadonlyMap<string, string[]> {
  const values = new Map<string, string[]>();
  for (const row of rows) {
    for (const [column, cell] of row.cells) {
      pushTo(values, columnOf(row, column), signalOf(row, column, { cell, clock }));
    }
  }
  return values;
}

function noiseBetween(a: readonly string[] = [], b: readonly string[] = []): 'none' | 'value' | 'all' {
  if (a.toSorted().join('\n') === b.toSorted().join('\n')) return 'none';
  const nulls = (values: readonly string[]) => values.filter((value) => value === 'NULL').length;
  return a.length === b.length && nulls(a) === nulls(b) ? 'value' : 'all';
}

function columnOf(row: NormalEffect, column: string): string {
  return `${groupOf(row)}|${column}`;
}
