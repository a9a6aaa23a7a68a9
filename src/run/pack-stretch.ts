import type { EventEvidence, RoundEvidence, Stretch } from '../judge/evidence.ts';
import type { Attempt } from '../model/attempt.ts';
import type { Cell, Effect } from '../model/effect.ts';
import { createToOriginal } from '../mutate/original.ts';
import type { StoredCell, StoredEffect, StoredEvent, StoredRound, StoredStretch } from './stored-evidence.ts';

/** @param indexOf an event's place among the run's */
export function packStretch(
  { rounds, effects, attempts, ...facts }: Stretch,
  indexOf: (event: string) => number,
): StoredStretch {
  const olds: string[][] = [];
  const placeOf = new Map<string, number>();
  const interned = (texts: string[]): number => {
    const key = JSON.stringify(texts);
    const place = placeOf.get(key) ?? olds.push(texts) - 1;
    placeOf.set(key, place);
    return place;
  };
  const packed = rounds.map(({ round, renewed, events }): StoredRound => {
    const pairs = renewed?.();
    return {
      round,
      renewed: pairs ? { of: interned(pairs.map(({ old }) => old)), texts: pairs.map((pair) => pair.renewed) } : null,
      events: events.map(({ id, marks }) => [indexOf(id), marks]),
    };
  });
  const ranges = rangesOf(attempts.map(({ number }) => number));
  return { ...facts, olds, rounds: packed, effects: effects.map(packEffect), attempts: ranges };
}

export type Known = {
  readonly events: readonly StoredEvent[];
  /** By number. */
  readonly attempts: ReadonlyMap<number, Attempt>;
};

export function unpackStretch({ olds, rounds, effects, attempts, ...facts }: StoredStretch, known: Known): Stretch {
  return {
    ...facts,
    rounds: rounds.map((round) => unpackRound(round, olds, known.events)),
    effects: effects.map(unpackEffect),
    attempts: attempts.flatMap((range) => attemptsIn(range, known)),
  };
}

function attemptsIn([first, last]: StoredStretch['attempts'][number], { attempts }: Known): readonly Attempt[] {
  const numbers = Array.from({ length: last - first + 1 }, (_, index) => first + index);
  return numbers.flatMap((number) => attempts.get(number) ?? []);
}

function unpackRound(
  { round, renewed, events: taking }: StoredRound,
  olds: StoredStretch['olds'],
  known: readonly StoredEvent[],
): RoundEvidence {
  const events = taking.flatMap(([index, marks]): readonly EventEvidence[] => {
    const event = known[index];
    return event ? [{ id: event.id, label: event.label ?? event.id, resource: event.resource, marks }] : [];
  });
  if (!renewed) return { round, events, toOriginal: (text) => text };
  const pairs = (olds[renewed.of] ?? []).map((old, index) => ({ old, renewed: renewed.texts[index] ?? '' }));
  return { round, events, toOriginal: createToOriginal(() => pairs), renewed: () => pairs };
}

function rangesOf(numbers: readonly number[]): StoredStretch['attempts'] {
  const ranges: [number, number][] = [];
  for (const number of numbers) {
    const last = ranges.at(-1);
    if (last && last[1] === number - 1) last[1] = number;
    else ranges.push([number, number]);
  }
  return ranges;
}

function packEffect({ before, after, ...effect }: Effect): StoredEffect {
  return { ...effect, before: mapCells(before, packCell), after: mapCells(after, packCell) };
}

function unpackEffect({ before, after, ...effect }: StoredEffect): Effect {
  return { ...effect, before: mapCells(before, unpackCell), after: mapCells(after, unpackCell) };
}

function mapCells<A, B>(cells: Readonly<Record<string, A>> | null, change: (cell: A) => B): Record<string, B> | null {
  return cells && Object.fromEntries(Object.entries(cells).map(([column, cell]) => [column, change(cell)]));
}

function packCell(cell: Cell): StoredCell {
  if (typeof cell === 'bigint') return { bigint: String(cell) };
  if (typeof cell !== 'number' || (Number.isFinite(cell) && !Object.is(cell, -0))) return cell;
  return { number: Object.is(cell, -0) ? '-0' : String(cell) };
}

function unpackCell(cell: StoredCell): Cell {
  if (cell === null || typeof cell !== 'object') return cell;
  if ('bigint' in cell) return BigInt(cell.bigint);
  return 'number' in cell ? Number(cell.number) : cell;
}
