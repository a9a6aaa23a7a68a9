import { pushTo } from '../support/push-to.ts';
import type { ColumnDifference } from './difference.ts';
import type { Noise } from './noise.ts';
import type { NormalEffect } from './normal-form.ts';
import { type Missing, openRows } from './open-rows.ts';

export type Comparison = {
  /** One baseline's effects. */
  readonly expected: readonly NormalEffect[];
  readonly actual: readonly NormalEffect[];
  /** How often the plan ran in this stretch: its effects are expected as many times. */
  readonly rounds: readonly string[];
  readonly noise: Noise;
};

export type RowDifferences = {
  readonly extras: readonly NormalEffect[];
  readonly missing: readonly Missing[];
  readonly others: readonly OtherRow[];
};

/** A row that came with another content than `expected`, a row of the baseline. */
export type OtherRow = {
  readonly row: NormalEffect;
  readonly expected: NormalEffect;
  readonly columns: readonly ColumnDifference[];
};

/** All rows but the shared ones, as a multiset of what is no noise in them, round by round where the rows tell their round. */
export function compareRows({ expected, actual, rounds, noise }: Comparison): RowDifferences {
  const [want, got] = [bucketsOf(expected, noise), bucketsOf(actual, noise)];
  const open = openRows(noise);
  const surplus: Surplus[] = [];
  for (const signature of new Set([...want.keys(), ...got.keys()])) {
    const due = want.get(signature) ?? [];
    const balance = balanceOf(got.get(signature) ?? [], due.length, rounds);
    for (const row of balance.extra) surplus.push({ row, isCopy: due.length > 0 });
    const [sample] = due;
    if (sample) for (const round of balance.short) open.add({ row: sample, round });
  }
  const paired = pairUp(surplus, open.takeLike, noise);
  return { ...paired, missing: open.left() };
}

type Buckets = ReadonlyMap<string, NormalEffect[]>;

function bucketsOf(effects: readonly NormalEffect[], noise: Noise): Buckets {
  const buckets = new Map<string, NormalEffect[]>();
  for (const row of effects) if (!row.isShared) pushTo(buckets, signatureOf(row, noise), row);
  return buckets;
}

function signatureOf(row: NormalEffect, noise: Noise): string {
  let signature = `${row.group}\n${noise.stableKey(row) ?? ''}`;
  for (const column of row.shape.sorted) {
    const signal = noise.signal(row, column);
    if (signal !== undefined) signature += `\n${column}=${signal}`;
  }
  return signature;
}

const NONE: readonly never[] = [];

type Balance = {
  readonly extra: readonly NormalEffect[];
  /** One entry for each row too few: its round, where that is known. */
  readonly short: readonly (string | undefined)[];
};

/** What equal rows are too many or too few. Rows that name no round may belong to any. */
function balanceOf(rows: readonly NormalEffect[], due: number, rounds: readonly string[]): Balance {
  if (rounds.length === 1) {
    const short = rows.length < due ? Array<string | undefined>(due - rows.length).fill(rounds[0]) : NONE;
    return { extra: rows.length > due ? rows.slice(due) : NONE, short };
  }
  const counts = new Map<string, number>();
  const extra: NormalEffect[] = [];
  const unnamed: NormalEffect[] = [];
  for (const row of rows) {
    const [round] = row.rounds;
    if (round === undefined) {
      unnamed.push(row);
      continue;
    }
    const count = (counts.get(round) ?? 0) + 1;
    counts.set(round, count);
    if (count > due) extra.push(row);
  }
  const short = rounds.flatMap((round) => Array<string>(Math.max(0, due - (counts.get(round) ?? 0))).fill(round));
  if (unnamed.length === 0) return { extra, short };
  return {
    extra: [...extra, ...unnamed.slice(short.length)],
    short: short.slice(unnamed.length).map(() => undefined),
  };
}

type Surplus = { readonly row: NormalEffect; readonly isCopy: boolean };

/** A row nobody expected and a row that did not come are one row with another content; a copy of a rightful row never is. */
function pairUp(
  surplus: readonly Surplus[],
  takeLike: (row: NormalEffect, round: string | undefined) => Missing | undefined,
  noise: Noise,
): { readonly others: readonly OtherRow[]; readonly extras: readonly NormalEffect[] } {
  const others: OtherRow[] = [];
  const extras: NormalEffect[] = [];
  for (const { row, isCopy } of surplus) {
    const partner = isCopy ? undefined : takeLike(row, row.rounds[0]);
    if (partner) others.push({ row, expected: partner.row, columns: columnDifferences(partner.row, row, noise) });
    else extras.push(row);
  }
  return { others, extras };
}

function columnDifferences(expected: NormalEffect, actual: NormalEffect, noise: Noise): readonly ColumnDifference[] {
  const differences = [...new Set([...expected.shape.columns, ...actual.shape.columns])].flatMap((column) => {
    const [due, is] = [noise.signal(expected, column), noise.signal(actual, column)];
    return due === is ? [] : [{ column, expected: due ?? '(absent)', actual: is ?? '(absent)' }];
  });
  return differences.length > 0
    ? differences
    : [{ column: '(key)', expected: noise.stableKey(expected) ?? '', actual: noise.stableKey(actual) ?? '' }];
}
