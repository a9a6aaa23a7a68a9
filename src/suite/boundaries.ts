import type { Boundary } from '../model/plan.ts';
import type { Turn } from '../model/receiver-control.ts';

/** Every boundary of a conversation, in its order: before each turn, and after it. */
export function boundariesOf(turns: readonly Turn[]): readonly Boundary[] {
  const counts = new Map<string, number>();
  return turns.flatMap(({ dependency }) => {
    const turn = (counts.get(dependency) ?? 0) + 1;
    counts.set(dependency, turn);
    return (['before', 'after'] as const).map((side): Boundary => ({ dependency, turn, side }));
  });
}

/** `after turn 2 of DATABASE_URL (INSERT INTO orders), before its answer reached the receiver`. */
export function boundaryText({ dependency, turn, side }: Boundary, turns: readonly Turn[]): string {
  const what = turnOf({ dependency, turn }, turns)?.what;
  const named = `turn ${turn} of ${dependency}${what === undefined ? '' : ` (${what})`}`;
  return side === 'before'
    ? `before ${named} reached the dependency`
    : `after ${named}, before its answer reached the receiver`;
}

/** `DATABASE_URL:after:2`. */
export function boundaryCode({ dependency, turn, side }: Boundary): string {
  return `${dependency}:${side}:${turn}`;
}

/** `4 turns of DATABASE_URL, 1 of API_URL`. */
export function turnCounts(turns: readonly Turn[]): string {
  const counts = new Map<string, number>();
  for (const { dependency } of turns) counts.set(dependency, (counts.get(dependency) ?? 0) + 1);
  return [...counts]
    .map(([dependency, count]) => `${count} ${count === 1 ? 'turn' : 'turns'} of ${dependency}`)
    .join(', ');
}

/** Ids and times differ in length a little; another statement differs more, or in its kind. */
const LENGTH_TOLERANCE = 32;
const LENGTH_SHARE = 0.25;

/**
 * Why a boundary was not tried where it was meant to be: the receiver said something else than in the baseline before it, or never
 * came so far; `undefined` when it was.
 */
export function whyMoved(
  boundary: Boundary,
  {
    struck,
    seen,
    counted,
  }: { readonly struck: boolean; readonly seen: readonly Turn[]; readonly counted: readonly Turn[] },
): string | undefined {
  const expected = turnsUpTo(boundary, counted);
  const actual = turnsUpTo(boundary, seen);
  const at = expected.findIndex((turn, index) => actual[index] && !isSameTurn(turn, actual[index]));
  if (at >= 0) {
    return `The receiver talked to ${boundary.dependency} in another way than in the baseline (turn ${at + 1} was ${textOf(actual[at])} instead of ${textOf(expected[at])}), so ${boundaryCode(boundary)} was not tried.`;
  }
  if (struck && actual.length === expected.length) return undefined;
  return `Turn ${boundary.turn} of ${boundary.dependency} did not come this time, so ${boundaryCode(boundary)} was not tried.`;
}

/** Whether two baselines said the same, for people: `undefined` when they did. */
export function whyOtherTalk(first: readonly Turn[], second: readonly Turn[]): string | undefined {
  for (const dependency of new Set([...first, ...second].map((turn) => turn.dependency))) {
    const [a, b] = [first, second].map((turns) => turns.filter((turn) => turn.dependency === dependency));
    if (a?.length !== b?.length)
      return `${dependency}: ${turnCounts(a ?? []) || 'none'}, then ${turnCounts(b ?? []) || 'none'}`;
    const at = (a ?? []).findIndex((turn, index) => !isSameTurn(turn, b?.[index] as Turn));
    if (at >= 0) return `turn ${at + 1} of ${dependency}: ${textOf(a?.[at])}, then ${textOf(b?.[at])}`;
  }
  return undefined;
}

function isSameTurn(a: Turn, b: Turn): boolean {
  const tolerance = Math.max(LENGTH_TOLERANCE, LENGTH_SHARE * a.bytes);
  return a.opener === b.opener && a.what === b.what && Math.abs(a.bytes - b.bytes) <= tolerance;
}

function turnsUpTo({ dependency, turn }: Boundary, turns: readonly Turn[]): readonly Turn[] {
  return turns.filter((each) => each.dependency === dependency).slice(0, turn);
}

function turnOf({ dependency, turn }: Pick<Boundary, 'dependency' | 'turn'>, turns: readonly Turn[]): Turn | undefined {
  return turns.filter((each) => each.dependency === dependency)[turn - 1];
}

function textOf(turn: Turn | undefined): string {
  return turn ? (turn.what ?? `${turn.bytes} bytes`) : 'nothing';
}
