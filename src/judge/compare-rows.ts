import type { ColumnDifference, Comparison, Difference } from './difference.ts';
import { groupOf, type Noise } from './noise.ts';
import type { NormalEffect } from './normal-form.ts';

type Bucket = { readonly sample: NormalEffect; readonly rows: NormalEffect[] };
type Buckets = ReadonlyMap<string, Bucket>;

/** Added and removed rows as a multiset of what is no noise in them. */
export function compareRows({ expected, actual, rounds, noise }: Comparison): readonly Difference[] {
  const [want, got] = [bucketsOf(expected, noise), bucketsOf(actual, noise)];
  const extras: Surplus[] = [];
  const missing: Shortfall[] = [];
  for (const signature of new Set([...want.keys(), ...got.keys()])) {
    const rows = got.get(signature)?.rows ?? [];
    const due = (want.get(signature)?.rows.length ?? 0) * rounds.length;
    if (rows.length > due) extras.push(surplus(rows, due, rounds.length));
    const sample = want.get(signature)?.sample;
    if (sample && rows.length < due)
      missing.push({ sample, due, actual: rows.length, absent: absentFrom(rows, rounds) });
  }
  return pairUp(extras, missing, noise);
}

type Surplus = {
  readonly rows: readonly NormalEffect[];
  readonly beside: readonly NormalEffect[];
  readonly due: number;
};
type Shortfall = {
  readonly sample: NormalEffect;
  readonly due: number;
  readonly actual: number;
  readonly absent: readonly string[];
};

function bucketsOf(effects: readonly NormalEffect[], noise: Noise): Buckets {
  const buckets = new Map<string, Bucket>();
  for (const effect of effects) {
    if (effect.kind === 'changed') continue;
    const signature = signatureOf(effect, noise);
    const bucket = buckets.get(signature);
    if (bucket) bucket.rows.push(effect);
    else buckets.set(signature, { sample: effect, rows: [effect] });
  }
  return buckets;
}

function signatureOf(effect: NormalEffect, noise: Noise): string {
  const cells = [...effect.cells]
    .filter(([column]) => !noise.isNoise(effect, column))
    .map(([column, { text }]) => `${column}=${text}`);
  return [groupOf(effect), ...cells.sort()].join('\n');
}

function surplus(rows: readonly NormalEffect[], due: number, rounds: number): Surplus {
  const beyond = surplusOf(rows, due / rounds);
  const round = beyond[0]?.rounds[0];
  const beside = rows.filter((row) => !beyond.includes(row) && row.rounds[0] === round).slice(0, MAX_BESIDE);
  return { rows: beyond, beside, due };
}

const MAX_BESIDE = 3;

/** Where rows name their round, the surplus is what a round has beyond its due; else simply the last ones. */
function surplusOf(rows: readonly NormalEffect[], duePerRound: number): readonly NormalEffect[] {
  const seen = new Map<string, number>();
  const beyond = rows.filter(({ rounds: [round] }) => {
    if (round === undefined) return false;
    const count = (seen.get(round) ?? 0) + 1;
    seen.set(round, count);
    return count > duePerRound;
  });
  return beyond.length > 0 ? beyond : rows.slice(-Math.max(1, rows.length - duePerRound));
}

function absentFrom(rows: readonly NormalEffect[], rounds: readonly string[]): readonly string[] {
  const present = new Set(rows.flatMap((row) => row.rounds));
  return present.size === 0 && rows.length > 0 ? [] : rounds.filter((round) => !present.has(round));
}

/** A row too many and a row too few of one table are one row with another content, when they agree in something. */
function pairUp(extras: readonly Surplus[], missing: readonly Shortfall[], noise: Noise): readonly Difference[] {
  const open = [...missing];
  const differences: Difference[] = [];
  for (const { rows, beside, due } of extras) {
    const [first] = rows;
    if (!first) continue;
    const at = due > 0 ? -1 : bestPartner(first, open, noise);
    const partner = open[at];
    if (!partner) {
      differences.push({ kind: 'extra', rows, beside, expected: due, actual: due + rows.length });
      continue;
    }
    differences.push({ kind: 'other-row', row: first, columns: columnDifferences(partner.sample, first, noise) });
    // The same fault may show in several ways over many rounds; each explains its share of what is missing.
    const left = partner.due - partner.actual - rows.length;
    if (left > 0) open[at] = { ...partner, actual: partner.actual + rows.length };
    else open.splice(at, 1);
    const beyond = -left;
    if (beyond > 0)
      differences.push({
        kind: 'extra',
        rows: rows.slice(-beyond),
        beside,
        expected: rows.length - beyond,
        actual: rows.length,
      });
  }
  return [...differences, ...open.map(asMissing)];
}

function asMissing({ sample, due, actual, absent }: Shortfall): Difference {
  return { kind: 'missing', sample, expected: due, actual, rounds: absent };
}

function bestPartner(extra: NormalEffect, open: readonly Shortfall[], noise: Noise): number {
  let best = -1;
  let most = 0;
  open.forEach(({ sample }, index) => {
    if (groupOf(sample) !== groupOf(extra)) return;
    const telling = [...sample.cells].filter(([column]) => !noise.isNoise(sample, column));
    const agreeing = telling.filter(([column, { text }]) => extra.cells.get(column)?.text === text).length;
    const score = telling.length === 1 ? 1 : agreeing;
    if (score > most) [best, most] = [index, score];
  });
  return best;
}

function columnDifferences(expected: NormalEffect, actual: NormalEffect, noise: Noise): readonly ColumnDifference[] {
  return [...new Set([...expected.cells.keys(), ...actual.cells.keys()])]
    .filter((column) => !noise.isNoise(expected, column) && !noise.isNoise(actual, column))
    .map((column) => ({
      column,
      expected: expected.cells.get(column)?.text ?? '(absent)',
      actual: actual.cells.get(column)?.text ?? '(absent)',
    }))
    .filter((difference) => difference.expected !== difference.actual);
}
