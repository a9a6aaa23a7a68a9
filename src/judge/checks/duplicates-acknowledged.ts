import { type Attempt, isAcknowledged } from '../../model/attempt.ts';
import { attemptLine } from '../describe.ts';
import type { Stretch } from '../evidence.ts';
import type { Broken, Check } from './check.ts';

/** A provider that gets anything but 2xx for a duplicate goes on retrying, and in the end switches the endpoint off. */
export const duplicatesAcknowledged: Check = {
  name: 'duplicates-acknowledged',
  summary:
    'a duplicate is answered 2xx; while the first is still being worked on 409 or 425 will do, if a later retry gets 2xx',
  find: ({ stretch }) => refusals(stretch),
};

/** One finding for all refused duplicates: they have one cause. */
function refusals(stretch: Stretch): readonly Broken[] {
  const deliveries = byDelivery(stretch.attempts);
  const refused = [...deliveries.values()].filter((attempts) => isRefusedDuplicate(attempts, deliveries));
  const [first] = refused;
  const [attempt] = first ?? [];
  if (!first || !attempt) return [];
  const events = stretch.rounds.find(({ round }) => round === attempt.round)?.events ?? [];
  const original = deliveries.get(keyOf({ ...attempt, copy: 1 })) ?? [];
  return [
    {
      check: duplicatesAcknowledged.name,
      title: `A duplicate was answered ${answerOf(attempt)} instead of 2xx`,
      event: events.find(({ id }) => id === attempt.event)?.label,
      expected: '2xx',
      actual: answerOf(attempt),
      evidence: [...original, ...first].map(attemptLine),
      hint: 'Answer a delivery that was handled already with 200: the provider only wants to know that it arrived. Anything else is retried, and too many of them switch the endpoint off.',
      hits: new Set(refused.map(([each]) => each?.round)).size,
    },
  ];
}

function isRefusedDuplicate(
  attempts: readonly Attempt[],
  deliveries: ReadonlyMap<string, readonly Attempt[]>,
): boolean {
  const [first] = attempts;
  if (!first || isAcknowledged(first.outcome)) return false;
  const others = [...deliveries.values()]
    .filter(([other]) => other && other !== first && isSameEvent(other, first))
    .flat();
  const acknowledgedBefore = others.some(
    (other) => isAcknowledged(other.outcome) && other.times.doneMs <= first.times.sentMs,
  );
  if (acknowledgedBefore) return true;
  const inFlight = others.some(
    (other) => other.times.sentMs <= first.times.doneMs && other.times.doneMs >= first.times.sentMs,
  );
  return inFlight && others.some((other) => isAcknowledged(other.outcome)) && !isPatient(attempts);
}

/** 409 or 425 to a delivery whose twin is still being worked on, and 2xx in the end. */
function isPatient(attempts: readonly Attempt[]): boolean {
  const early = attempts
    .slice(0, -1)
    .every(({ outcome }) => outcome.kind === 'response' && [409, 425].includes(outcome.status));
  const last = attempts.at(-1);
  return early && attempts.length > 1 && last !== undefined && isAcknowledged(last.outcome);
}

function byDelivery(attempts: readonly Attempt[]): ReadonlyMap<string, readonly Attempt[]> {
  const deliveries = new Map<string, Attempt[]>();
  for (const attempt of attempts) {
    const list = deliveries.get(keyOf(attempt));
    if (list) list.push(attempt);
    else deliveries.set(keyOf(attempt), [attempt]);
  }
  return deliveries;
}

function keyOf({ round, event, copy }: Pick<Attempt, 'round' | 'event' | 'copy'>): string {
  return `${round}|${event}|${copy}`;
}

function isSameEvent(a: Attempt, b: Attempt): boolean {
  return a.round === b.round && a.event === b.event;
}

function answerOf({ outcome }: Attempt): string {
  return outcome.kind === 'response' ? String(outcome.status) : `with nothing (${outcome.reason})`;
}
