import { type Attempt, isAcknowledged } from '../model/attempt.ts';
import type { Finding } from '../model/finding.ts';
import { tidy } from './amount.ts';
import { attemptLines, describeRow, shorten } from './describe.ts';
import type { Stretch } from './evidence.ts';
import { ignoreFor } from './ignore-for.ts';
import { sameTexts } from './multiset.ts';
import { learnNoise, type Noise } from './noise.ts';
import { type NormalEffect, normaliseAll } from './normal-form.ts';
import { payloadFacts } from './payload-facts.ts';
import { effectName } from './places.ts';
import { cellAt } from './row-cells.ts';
import { unreachedRounds } from './trail.ts';

export type GapEvidence = {
  /** The events but the last in order, where one in their middle never came. */
  readonly stretch: Stretch;
  /** All events in order, twice. */
  readonly baselines: readonly [Stretch, Stretch];
  /** Those before the gap alone; all but the last, in order. */
  readonly references: readonly [Stretch, Stretch];
  readonly payloads: readonly string[];
  readonly hint: string;
};

export type GapJudgement = { readonly findings: readonly Finding[]; readonly reason?: string | undefined };

/**
 * Whether the last event took effect although the one before it never came. How it shows is learnt from the events in order: where the
 * last one makes a difference to the others, it must make one to those before the gap. What the missing one does is nobody's loss.
 */
export function judgeGap({ stretch, baselines, references, payloads, hint }: GapEvidence): GapJudgement {
  const all = [...baselines, ...references, stretch];
  if (!all.every(({ quiet }) => quiet)) return unsure('The effects did not come to rest in time (--settle-max).');
  if ([...references, stretch].some((each) => unreachedRounds(each).size > 0))
    return unsure('A delivery did not reach the receiver.');
  if (references.some(({ attempts }) => refusedIn(attempts)))
    return unsure('The events before the gap, delivered once each and in order, were not all acknowledged.');
  const normal = normaliseAll(all, payloadFacts(payloads));
  const [first = [], second = [], before = [], withoutLast = [], actual = []] = normal;
  const noise = learnNoise(first, second);
  const telling = placesOf([second, before, withoutLast, actual], noise)
    .map(({ group, column }) => {
      const read = (rows: readonly NormalEffect[]) => valuesAt(rows, { group, column, noise });
      return {
        ...{ group, column },
        ...{ whole: read(second), before: read(before), withoutLast: read(withoutLast), actual: read(actual) },
      };
    })
    .filter(isTelling);
  if (telling.length === 0)
    return unsure(
      'The last event changes nothing that the ones before it leave otherwise, so whether it took effect cannot be told.',
    );
  const stuck = telling.filter(isStuck);
  if (stuck.length > 0) {
    const ignore = ignoreFor(all.flatMap(({ effects }) => effects));
    const attempts = attemptLines(stretch.attempts);
    const groups = [...new Set(stuck.map(({ group }) => group))];
    return {
      findings: groups.map((group) => {
        const places = stuck.filter((place) => place.group === group);
        const [due, is] = [second, actual].map((rows) => rows.filter((row) => row.group === group));
        const row = (due?.[0] ?? actual[0] ?? before.find((one) => one.group === group)) as NormalEffect;
        const columns = places.map(({ column }) => column).filter((column) => column !== ROWS);
        return {
          check: 'no-lost-effect',
          title: `${effectName(row)}: ${namesOf(places)} as if the event behind the gap had never come`,
          event: labelOfLast(stretch),
          effect: effectName(row),
          expected: `a change as after all events in order (${places.map(({ column, whole }) => `${column}=${shortList(whole)}`).join(' ')})`,
          actual: `as before it (${places.map(({ column, actual: now }) => `${column}=${shortList(now)}`).join(' ')})`,
          evidence: [
            ...attempts,
            ...(due ?? []).slice(0, MOST_ROWS).map((one) => `after all events in order: ${describeRow(one)}`),
            ...(is ?? []).slice(0, MOST_ROWS).map(describeRow),
          ],
          hint,
          ignore: ignore(row, columns.length > 0 ? columns : undefined),
        };
      }),
    };
  }
  if (telling.some(isRight)) return { findings: [] };
  const places = telling.map(({ column, actual: now }) => `${column}=${shortList(now)}`).join(' ');
  return unsure(`The last event did something, but not what it does in order (${places}).`);
}

const MOST_ROWS = 3;
/** The number of rows, in the place of a column. */
const ROWS = '(rows)';

type Place = { readonly group: string; readonly column: string };

/** What stands in one column of all rows of a place, in the four runs. */
type Telling = Place & {
  readonly whole: readonly string[];
  readonly before: readonly string[];
  readonly withoutLast: readonly string[];
  readonly actual: readonly string[];
};

function placesOf(runs: ReadonlyArray<readonly NormalEffect[]>, noise: Noise): readonly Place[] {
  const places = new Map<string, Place>();
  for (const row of runs.flat()) {
    const { group } = row;
    const columns = row.shape.columns.filter((column) => noise.signal(row, column) !== undefined);
    for (const column of [ROWS, ...columns]) places.set(`${group}\n${column}`, { group, column });
  }
  return [...places.values()];
}

function valuesAt(
  rows: readonly NormalEffect[],
  { group, column, noise }: Place & { readonly noise: Noise },
): readonly string[] {
  const here = rows.filter((row) => row.group === group);
  if (column === ROWS) return [String(here.length)];
  return here.flatMap((row) => (cellAt(row, column) ? (noise.signal(row, column) ?? []) : []));
}

/** The last event makes a difference here, behind all others and also to the ones before the gap. */
function isTelling({ whole, before, withoutLast }: Telling): boolean {
  return !sameTexts(whole, withoutLast) && !sameTexts(whole, before);
}

function isStuck({ actual, before }: Telling): boolean {
  return sameTexts(actual, before);
}

/** A value that came with the last event is there; or a number moved as far as the last event moves it. */
function isRight({ whole, before, withoutLast, actual }: Telling): boolean {
  const [due, is] = [gained(whole, withoutLast), gained(actual, before)];
  if (is.some((text) => due.includes(text))) return true;
  const [more, moved] = [sum(whole) - sum(withoutLast), sum(actual) - sum(before)];
  return Number.isFinite(more) && tidy(more) === tidy(moved);
}

function gained(now: readonly string[], before: readonly string[]): readonly string[] {
  return now.filter((text) => !before.includes(text));
}

/** NaN where one of them is no number. */
function sum(texts: readonly string[]): number {
  return texts.reduce((total, text) => total + Number(text), 0);
}

function namesOf(places: readonly Place[]): string {
  return places.map(({ column }) => (column === ROWS ? 'rows' : column)).join(', ');
}

function shortList(values: readonly string[]): string {
  return shorten(values.join(',')) || '(none)';
}

function refusedIn(attempts: readonly Attempt[]): boolean {
  const last = new Map(attempts.map((attempt) => [attempt.step, attempt]));
  return [...last.values()].some(({ outcome }) => !isAcknowledged(outcome));
}

function labelOfLast({ rounds, attempts }: Stretch): string | undefined {
  const last = attempts.at(-1)?.event;
  return rounds.flatMap(({ events }) => events).find(({ id }) => id === last)?.label;
}

function unsure(reason: string): GapJudgement {
  return { findings: [], reason };
}
