import { type Attempt, isAcknowledged } from '../model/attempt.ts';
import { deliveriesIn, type Plan } from '../model/plan.ts';
import { pushTo } from '../support/push-to.ts';
import type { EventEvidence, Stretch } from './evidence.ts';
import { textOf } from './flatten.ts';
import type { NormalEffect } from './normal-form.ts';

/** What was delivered, looked up by round and event. */
export type Trail = {
  /** Over all stretches. */
  readonly rounds: number;
  readonly attempts: readonly Attempt[];
  /** The event a row tells of: by its ids, else the only one there is. */
  readonly eventOf: (row: NormalEffect) => EventEvidence | undefined;
  /** What people call an event, by its id. */
  readonly labelOf: (event: string) => string;
  /** The attempts behind a row, oldest first; none when the row does not tell its round and there are several. */
  readonly attemptsBehind: (row: NormalEffect) => readonly Attempt[];
};

export function trailOf(stretches: readonly Stretch[]): Trail {
  const rounds = stretches.flatMap((stretch) => stretch.rounds);
  const eventsByRound = new Map(rounds.map(({ round, events }) => [round, events]));
  const attempts = stretches.flatMap((stretch) => stretch.attempts);
  const attemptsByRound = new Map<string, Attempt[]>();
  for (const attempt of attempts) pushTo(attemptsByRound, attempt.round, attempt);
  const labels = new Map(rounds.flatMap(({ events }) => events.map(({ id, label }) => [id, label] as const)));

  const roundOf = ({ rounds: [named] }: NormalEffect) => (rounds.length === 1 ? rounds[0]?.round : named);
  const eventOf = (row: NormalEffect) => {
    const events = eventsByRound.get(roundOf(row) ?? '') ?? rounds[0]?.events ?? [];
    return events.length === 1 ? events[0] : eventNamedIn(row, events);
  };
  return {
    rounds: rounds.length,
    attempts,
    eventOf,
    labelOf: (event) => labels.get(event) ?? event,
    attemptsBehind: (row) => {
      const event = eventOf(row)?.id;
      const inRound = attemptsByRound.get(roundOf(row) ?? '') ?? [];
      return inRound.filter((attempt) => event === undefined || attempt.event === event);
    },
  };
}

function eventNamedIn(row: NormalEffect, events: readonly EventEvidence[]): EventEvidence | undefined {
  const cells = Object.values(row.raw.after ?? row.raw.before ?? {}).map(textOf);
  const byMark = events.filter(({ marks }) => marks.some((mark) => cells.some((cell) => cell.includes(mark))));
  if (byMark.length > 0) return byMark.length === 1 ? byMark[0] : undefined;
  const texts = new Set(row.cells.map(({ text }) => text));
  const byName = events.filter(
    ({ label, resource }) => texts.has(label) || (resource !== undefined && texts.has(resource)),
  );
  return byName.length === 1 ? byName[0] : undefined;
}

/** False when nothing can have arrived: nobody listened, or the name was unknown. `aborted` is our own doing. */
export function mayHaveArrived({ outcome }: Attempt): boolean {
  return outcome.kind === 'response' || !['refused', 'dns', 'tls', 'aborted'].includes(outcome.reason);
}

/** The last attempts of deliveries that never got an answer; those that were broken off on purpose are none. */
export function unanswered({ attempts }: Stretch, plan: Plan): readonly Attempt[] {
  const abandoned = new Set(deliveriesIn(plan).flatMap(({ id, delivery }) => (delivery.abandon ? [id] : [])));
  const last = new Map(attempts.map((attempt) => [`${attempt.round}|${attempt.step}`, attempt]));
  return [...last.values()].filter(({ outcome, step }) => outcome.kind === 'no-response' && !abandoned.has(step));
}

/**
 * Rounds in which some event never came to the receiver, or found nobody at its last retry, so that its effects cannot be
 * expected: a receiver that is gone has lost nothing yet.
 */
export function unreachedRounds({ rounds, attempts }: Stretch): ReadonlySet<string> {
  const arrived = new Set<string>();
  const acknowledged = new Set<string>();
  for (const attempt of attempts) {
    const key = `${attempt.round}|${attempt.event}`;
    if (isAcknowledged(attempt.outcome)) acknowledged.add(key);
    if (mayHaveArrived(attempt)) arrived.add(key);
    else if (!acknowledged.has(key)) arrived.delete(key);
  }
  const unreached = rounds.filter(({ round, events }) => events.some(({ id }) => !arrived.has(`${round}|${id}`)));
  return new Set(unreached.map(({ round }) => round));
}

/** True when two acknowledged attempts were open at the same time. */
export function overlapped(attempts: readonly Attempt[]): boolean {
  const sorted = attempts
    .filter(({ outcome }) => isAcknowledged(outcome))
    .toSorted((a, b) => a.times.sentMs - b.times.sentMs);
  let openUntilMs = Number.NEGATIVE_INFINITY;
  for (const { times } of sorted) {
    if (times.sentMs < openUntilMs) return true;
    openUntilMs = Math.max(openUntilMs, times.doneMs);
  }
  return false;
}
