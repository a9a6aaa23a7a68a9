import { pushTo } from '../support/push-to.ts';
import { compareRows, type OtherRow } from './compare-rows.ts';
import { compareShared, type SharedDifference } from './compare-shared.ts';
import type { Difference } from './difference.ts';
import type { Noise } from './noise.ts';
import type { NormalEffect } from './normal-form.ts';
import type { Missing } from './open-rows.ts';
import { cellAt } from './row-cells.ts';

/** One stretch of the trial, ready to be compared. */
export type Seen = {
  readonly actual: readonly NormalEffect[];
  readonly rounds: readonly string[];
  /** Rounds of which nothing can be expected, because a delivery never reached the receiver. */
  readonly unreached: ReadonlySet<string>;
  /** True when something else was done meanwhile: what is too much and names no round proves nothing. */
  readonly mayBeOthers?: boolean | undefined;
  /** False when effects may still have been on their way. */
  readonly quiet: boolean;
};

export type Compared = {
  readonly differences: readonly Difference[];
  /** Rows and values that were not as expected and prove nothing, since they may have been late or were never asked for. */
  readonly unproven: number;
};

/** What the plan did against what its events do when delivered once each, in order. `expected` is one baseline. */
export function compare(expected: readonly NormalEffect[], seen: readonly Seen[], noise: Noise): Compared {
  const extras = new Map<string, NormalEffect[]>();
  const missing = new Map<string, Missing[]>();
  const others = new Map<string, OtherRow[]>();
  const shared = new Map<string, SharedDifference[]>();
  let unproven = 0;
  const keep = <T>(item: T, isProven: boolean, into: { readonly lists: Map<string, T[]>; readonly key: string }) => {
    if (isProven) pushTo(into.lists, into.key, item);
    else unproven++;
  };
  for (const each of seen) {
    const { actual, rounds, quiet, unreached, mayBeOthers = false } = each;
    const comparison = { expected, actual, rounds, noise };
    const rows = compareRows(comparison);
    const isSure = (round: string | undefined) =>
      round === undefined ? isWhole(each) : quiet && !unreached.has(round);
    // What is too much stays too much, whatever is still to come.
    for (const row of rows.extras) keep(row, !mayBeOthers || row.rounds.length > 0, { lists: extras, key: row.group });
    for (const one of rows.missing) keep(one, isSure(one.round), { lists: missing, key: one.row.group });
    for (const one of rows.others) keep(one, isSure(one.row.rounds[0]), { lists: others, key: placeOfOther(one) });
    for (const one of compareShared(comparison)) keep(one, isSureOf(one, each), { lists: shared, key: placeOf(one) });
  }
  const totals = totalsOf(expected, seen);
  const differences = [
    ...[...extras.values()].map((rows) => extraRows(rows, totals, seen)),
    ...[...missing.values()].map((rows) => missingRows(rows, totals)),
    ...[...others.values()].map(otherRow),
    ...[...shared.values()].map(sharedRow),
  ];
  return { differences, unproven };
}

function isWhole({ quiet, unreached }: Seen): boolean {
  return quiet && unreached.size === 0;
}

/** Beside something else too much proves nothing, else it does always; too little does when all has come. */
function isSureOf(difference: SharedDifference, seen: Seen): boolean {
  if (seen.mayBeOthers) return isWhole(seen) && isLess(difference);
  return isWhole(seen) || isMore(difference);
}

function isMore(difference: SharedDifference): boolean {
  return difference.kind === 'amount' && Math.abs(difference.actual) > Math.abs(difference.expected);
}

function isLess(difference: SharedDifference): boolean {
  return difference.kind === 'amount' && Math.abs(difference.actual) < Math.abs(difference.expected);
}

/** One fault shows in many rows; those that differ in the same columns are one finding. */
function placeOfOther({ row, columns }: OtherRow): string {
  return [row.group, ...columns.map(({ column }) => column)].join('|');
}

function placeOf({ row, column, kind }: SharedDifference): string {
  return [row.group, row.key, column, kind].join('|');
}

type Totals = {
  readonly rounds: number;
  readonly expected: (group: string) => number;
  readonly actual: (group: string) => number;
};

function totalsOf(expected: readonly NormalEffect[], seen: readonly Seen[]): Totals {
  const rounds = seen.reduce((sum, each) => sum + each.rounds.length, 0);
  const [due, is] = [countByGroup([expected]), countByGroup(seen.map(({ actual }) => actual))];
  return { rounds, expected: (group) => (due.get(group) ?? 0) * rounds, actual: (group) => is.get(group) ?? 0 };
}

function countByGroup(lists: ReadonlyArray<readonly NormalEffect[]>): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const list of lists) {
    for (const row of list) counts.set(row.group, (counts.get(row.group) ?? 0) + 1);
  }
  return counts;
}

function extraRows(rows: readonly NormalEffect[], totals: Totals, seen: readonly Seen[]): Difference {
  const [row] = rows as readonly [NormalEffect];
  const [group, count] = [row.group, rows.length];
  const beside = rowsBeside(row, new Set(rows), seen);
  const [expected, actual] = [totals.expected(group), totals.actual(group)];
  return { kind: 'extra', row, beside, count, expected, actual, ...hitsOf(rows.map(roundOf), totals.rounds) };
}

function missingRows(missing: readonly Missing[], totals: Totals): Difference {
  const [{ row, round }] = missing as readonly [Missing];
  const [group, count] = [row.group, missing.length];
  const inRound = { ...row, rounds: round === undefined ? [] : [round] };
  const [expected, actual] = [totals.expected(group), totals.actual(group)];
  const hits = hitsOf(
    missing.map((each) => each.round),
    totals.rounds,
  );
  return { kind: 'missing', row: inRound, count, expected, actual, ...hits };
}

function otherRow(others: readonly OtherRow[]): Difference {
  const [{ row, expected, columns }] = others as readonly [OtherRow];
  const hits = hitsOf(
    others.map((each) => roundOf(each.row)),
    others.length,
  );
  return { kind: 'other-row', row, beside: expected, columns, ...hits };
}

function sharedRow(differences: readonly SharedDifference[]): Difference {
  const [first] = differences as readonly [SharedDifference];
  const hits = differences.reduce((sum, each) => sum + each.hits, 0);
  if (first.kind === 'other-value') return { ...first, rounds: [], hits };
  const amounts = differences.filter((each) => each.kind === 'amount');
  const sum = (side: 'expected' | 'actual') => amounts.reduce((total, each) => total + each[side], 0);
  return { ...first, expected: sum('expected'), actual: sum('actual'), rounds: [], hits };
}

function roundOf({ rounds: [round] }: NormalEffect): string | undefined {
  return round;
}

function hitsOf(named: readonly (string | undefined)[], most: number) {
  const rounds = [...new Set(named.filter((round) => round !== undefined))];
  return { rounds, hits: rounds.length > 0 ? rounds.length : Math.min(most, named.length) };
}

const MOST_BESIDE = 3;

/** The rightful rows of the same round, most alike first: what a reader compares the extra one with. */
function rowsBeside(row: NormalEffect, extras: ReadonlySet<NormalEffect>, seen: readonly Seen[]) {
  const group = row.group;
  const actual = seen.find((each) => each.actual.includes(row))?.actual ?? [];
  const likeness = (other: NormalEffect) =>
    row.shape.columns.filter((column) => cellAt(other, column)?.text === cellAt(row, column)?.text).length;
  return actual
    .filter((other) => other.group === group && roundOf(other) === roundOf(row) && !extras.has(other))
    .map((other) => ({ other, likes: likeness(other) }))
    .sort((a, b) => b.likes - a.likes)
    .slice(0, MOST_BESIDE)
    .map(({ other }) => other);
}
