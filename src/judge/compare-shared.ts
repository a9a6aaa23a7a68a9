import { tidy } from './amount.ts';
import type { Comparison } from './compare-rows.ts';
import type { Noise } from './noise.ts';
import type { NormalCell } from './normal-cell.ts';
import type { NormalEffect } from './normal-form.ts';
import { eachCell } from './row-cells.ts';

/** One cell of a row that all rounds share; `hits` counts the rounds it takes to explain it. */
export type SharedDifference = At & { readonly hits: number } & (
    | {
        readonly kind: 'amount';
        readonly expected: number;
        readonly actual: number;
        readonly unit?: 'ms' | undefined;
      }
    | { readonly kind: 'other-value'; readonly expected: readonly string[]; readonly actual: string }
  );

/** Rows that all rounds share: numbers by the sum of their growth over all rounds, everything else by the value it ended with. */
export function compareShared({ expected, actual, rounds, noise }: Comparison): readonly SharedDifference[] {
  const [want, got] = [changesOf(expected, noise), changesOf(actual, noise)];
  return [...new Set([...want.keys(), ...got.keys()])].flatMap((place): readonly SharedDifference[] => {
    const [due, change] = [want.get(place), got.get(place)];
    const { row, column } = (change ?? due) as Change;
    const at = { row: change || !due ? row : { ...row, rounds: [] }, column };
    if (due?.sum !== undefined && (!change || change.sum !== undefined))
      return amount(at, { due, change, rounds: rounds.length });
    if (!due && change?.sum !== undefined) return amount(at, { due, change, rounds: rounds.length });
    return otherValue(at, due, change);
  });
}

type Change = {
  readonly row: NormalEffect;
  readonly column: string;
  readonly unit: 'ms' | undefined;
  /** Absent as soon as one of the changes is not one of a number. */
  sum: number | undefined;
  readonly values: Set<string>;
};

type At = { readonly row: NormalEffect; readonly column: string };
type Sums = { readonly due: Change | undefined; readonly change: Change | undefined; readonly rounds: number };

function amount(at: At, { due, change, rounds }: Sums): readonly SharedDifference[] {
  const perRound = due?.sum ?? 0;
  const [expected, actual] = [tidy(perRound * rounds), tidy(change?.sum ?? 0)];
  if (Math.abs(expected - actual) < 1e-6) return [];
  const broken = perRound === 0 ? 1 : Math.max(1, Math.round(Math.abs((actual - expected) / perRound)));
  const unit = (due ?? change)?.unit;
  return [{ kind: 'amount', ...at, expected, actual, unit, hits: Math.min(broken, rounds) }];
}

function otherValue(at: At, due: Change | undefined, change: Change | undefined): readonly SharedDifference[] {
  const expected = [...(due?.values ?? [])];
  const actual = change ? [...change.values].find((value) => !expected.includes(value)) : 'no change';
  return actual === undefined ? [] : [{ kind: 'other-value', ...at, expected, actual, hits: 1 }];
}

function changesOf(rows: readonly NormalEffect[], noise: Noise): ReadonlyMap<string, Change> {
  const changes = new Map<string, Change>();
  for (const row of rows) {
    if (!row.isShared) continue;
    eachCell(row, (column, cell) => {
      const signal = noise.signal(row, column);
      if (signal === undefined) return;
      add(changes, { row, column, cell, signal, place: `${row.table}|${noise.stableKey(row) ?? '*'}|${column}` });
    });
  }
  return changes;
}

type Cell = At & { readonly cell: NormalCell; readonly signal: string; readonly place: string };

/** Rows whose keys nobody can foresee are not told apart, so their changes are summed. */
function add(changes: Map<string, Change>, { row, column, cell, signal, place }: Cell): void {
  const before = changes.get(place);
  if (!before) {
    const { by, unit } = cell.growth ?? {};
    changes.set(place, { row, column, unit, sum: by, values: new Set([cell.growth ? cell.text : signal]) });
    return;
  }
  before.values.add(cell.growth ? cell.text : signal);
  before.sum = before.sum === undefined || !cell.growth ? undefined : before.sum + cell.growth.by;
}
