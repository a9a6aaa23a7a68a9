import type { Noise } from './noise.ts';
import type { NormalEffect } from './normal-form.ts';

/** Expected rows that did not come, to be matched with rows that nobody expected. */
export type OpenRows = {
  readonly add: (row: Missing) => void;
  /** The missing row of the same place and round that is most like this one, once; they must agree in something. */
  readonly takeLike: (row: NormalEffect, round: string | undefined) => Missing | undefined;
  readonly left: () => readonly Missing[];
};

/** `round` is absent where it is not known. */
export type Missing = { readonly row: NormalEffect; readonly round: string | undefined };

/** Of many rows that agree in their rarest value, so many are looked at. */
const MOST_CANDIDATES = 20;

type Pool = { readonly all: Set<Missing>; readonly bySignal: Map<string, Set<Missing>> };

/** Rows are found by their rarest common value, so that many of them stay cheap. */
export function openRows(noise: Noise): OpenRows {
  const pools = new Map<string, Pool>();
  const signalsOf = (row: NormalEffect) =>
    row.shape.columns.flatMap((column) => {
      const signal = noise.signal(row, column);
      return signal === undefined ? [] : [`${column}=${signal}`];
    });

  const remove = (pool: Pool, missing: Missing) => {
    pool.all.delete(missing);
    for (const signal of signalsOf(missing.row)) pool.bySignal.get(signal)?.delete(missing);
    return missing;
  };

  return {
    add: (missing) => {
      const name = poolName(missing.row, missing.round);
      const pool = pools.get(name) ?? { all: new Set(), bySignal: new Map() };
      pools.set(name, pool);
      pool.all.add(missing);
      for (const signal of signalsOf(missing.row)) {
        const rows = pool.bySignal.get(signal) ?? new Set();
        pool.bySignal.set(signal, rows.add(missing));
      }
    },
    takeLike: (row, round) => {
      const pool = pools.get(poolName(row, round));
      if (!pool || pool.all.size === 0) return undefined;
      const like = mostAlike(pool, signalsOf(row), signalsOf) ?? onlyCell(pool, signalsOf);
      return like && remove(pool, like);
    },
    left: () => [...pools.values()].flatMap(({ all }) => [...all]),
  };
}

function poolName(row: NormalEffect, round: string | undefined): string {
  return `${row.group}|${round ?? ''}`;
}

type SignalsOf = (row: NormalEffect) => readonly string[];

function mostAlike(pool: Pool, signals: readonly string[], signalsOf: SignalsOf): Missing | undefined {
  const sets = signals.flatMap((signal) => pool.bySignal.get(signal) ?? []).filter(({ size }) => size > 0);
  const [rarest] = sets.sort((a, b) => a.size - b.size);
  if (!rarest) return undefined;
  const wanted = new Set(signals);
  let best: { readonly missing: Missing; readonly score: number } | undefined;
  for (const missing of firstOf(rarest, MOST_CANDIDATES)) {
    const score = signalsOf(missing.row).filter((signal) => wanted.has(signal)).length;
    if (!best || score > best.score) best = { missing, score };
  }
  return best?.missing;
}

/** Rows of a single telling cell have nothing else to agree in. */
function onlyCell({ all }: Pool, signalsOf: SignalsOf): Missing | undefined {
  const [first] = all;
  return first && signalsOf(first.row).length <= 1 ? first : undefined;
}

function* firstOf<T>(items: Iterable<T>, count: number): Iterable<T> {
  let left = count;
  for (const item of items) {
    if (left-- <= 0) return;
    yield item;
  }
}
