import { type Attempt, isAcknowledged } from '../../model/attempt.ts';
import { pushTo } from '../../support/push-to.ts';
import { attemptLines } from '../describe.ts';
import { mayHaveArrived } from '../trail.ts';
import { type Broken, type Case, type Check, inRounds } from './check.ts';

/** A provider that gets anything but 2xx for a duplicate goes on retrying, and in the end switches the endpoint off. */
export const duplicatesAcknowledged: Check = {
  name: 'duplicates-acknowledged',
  summary:
    'a duplicate is answered 2xx; while the first is still being worked on 409 or 425 will do, if a later retry gets 2xx',
  find: (subject) => refusals(subject),
  notes: ({ trail }) => unfinished(trail.attempts),
};

/** One finding for all refused duplicates: they have one cause. */
function refusals(subject: Case): readonly Broken[] {
  const refused = eventsOf(subject.trail.attempts).flatMap((event) => refusedOf(event, subject) ?? []);
  const [first] = refused;
  if (!first) return [];
  const rounds = [...new Set(refused.map(({ attempt }) => attempt.round))];
  const answer = answerOf(first.attempt);
  return [
    {
      rounds,
      hits: rounds.length,
      finding: {
        check: duplicatesAcknowledged.name,
        title: `A ${first.what} was answered ${answer} instead of 2xx${inRounds(rounds.length, subject)}`,
        event: subject.trail.labelOf(first.attempt.event),
        expected: '2xx',
        actual: answer,
        evidence: attemptLines(first.story),
        hint: hintFor(first),
      },
    },
  ];
}

type Refused = {
  readonly attempt: Attempt;
  readonly what: 'duplicate' | 'retry';
  readonly whileOpen: boolean;
  readonly story: readonly Attempt[];
};

/** All attempts of one event in one round, in the order sent, and by delivery. */
type EventAttempts = {
  readonly attempts: readonly Attempt[];
  readonly deliveries: ReadonlyArray<readonly Attempt[]>;
  /** When the first 2xx was complete. */
  readonly knownFromMs: number;
};

function eventsOf(attempts: readonly Attempt[]): readonly EventAttempts[] {
  const byEvent = new Map<string, Attempt[]>();
  for (const attempt of attempts) pushTo(byEvent, `${attempt.round}|${attempt.event}`, attempt);
  return [...byEvent.values()].map((unsorted) => {
    const sorted = unsorted.toSorted((a, b) => a.times.sentMs - b.times.sentMs || a.number - b.number);
    const byDelivery = new Map<string, Attempt[]>();
    for (const attempt of sorted) pushTo(byDelivery, `${attempt.step}|${attempt.copy}`, attempt);
    const acknowledged = sorted.filter(({ outcome }) => isAcknowledged(outcome));
    const knownFromMs = acknowledged.reduce((min, { times }) => Math.min(min, times.doneMs), Number.POSITIVE_INFINITY);
    return { attempts: sorted, deliveries: [...byDelivery.values()], knownFromMs };
  });
}

/** The first attempt of an event that was refused although the event was known. */
function refusedOf(event: EventAttempts, subject: Case): Refused | undefined {
  const overlaps = overlapsOf(event.attempts);
  for (const delivery of event.deliveries) {
    const attempt = delivery.find((each) => isRefusal(each, { delivery, event, isOpen: overlaps.has(each) }));
    if (!attempt) continue;
    const whileOpen = attempt.times.sentMs < event.knownFromMs;
    return { attempt, what: 'duplicate', whileOpen, story: storyOf(event, delivery) };
  }
  return stuckRetry(event, subject);
}

type Situation = {
  readonly delivery: readonly Attempt[];
  readonly event: EventAttempts;
  /** Another delivery of the event was open at the same time. */
  readonly isOpen: boolean;
};

/** "Not now": the first is still being worked on. */
const PATIENCE = [409, 425];
/** "Too much": it says nothing about duplicates when a retry is taken. */
const OVERLOAD = [429, 503];

function isRefusal(attempt: Attempt, { delivery, event, isOpen }: Situation): boolean {
  const { outcome, times } = attempt;
  if (isAcknowledged(outcome) || event.knownFromMs === Number.POSITIVE_INFINITY) return false;
  const isTaken = delivery.some((other) => isAcknowledged(other.outcome));
  const isKnown = event.knownFromMs <= times.sentMs;
  // No answer is what a network does; only a delivery that never gets one was refused.
  if (outcome.kind === 'no-response')
    return isKnown && mayHaveArrived(attempt) && !isTaken && attempt === delivery.at(-1);
  if (OVERLOAD.includes(outcome.status) && isTaken) return false;
  if (isKnown) return true;
  if (!isOpen) return false;
  return !PATIENCE.includes(outcome.status) || (!isTaken && delivery.length > 1);
}

/** Attempts that were open while another one of the same event was. Sorted by time sent. */
function overlapsOf(attempts: readonly Attempt[]): ReadonlySet<Attempt> {
  const overlapping = new Set<Attempt>();
  let latest: Attempt | undefined;
  for (const attempt of attempts) {
    if (latest && latest.times.doneMs > attempt.times.sentMs) overlapping.add(latest).add(attempt);
    if (!latest || attempt.times.doneMs > latest.times.doneMs) latest = attempt;
  }
  return overlapping;
}

/** A first attempt without an answer was handled, and its retries are refused for ever. Where the effect is missing that is the finding. */
function stuckRetry(event: EventAttempts, { differences }: Case): Refused | undefined {
  if (event.knownFromMs !== Number.POSITIVE_INFINITY) return undefined;
  const attempt = event.attempts.at(-1);
  const silent = event.attempts.findIndex((each) => each.outcome.kind === 'no-response' && mayHaveArrived(each));
  const isStuck = attempt?.outcome.kind === 'response' && silent >= 0;
  if (!isStuck || differences.some(({ kind }) => kind === 'missing')) return undefined;
  return { attempt, what: 'retry', whileOpen: false, story: event.attempts };
}

/** The attempt that made the event known, then the refused delivery. */
function storyOf({ attempts, knownFromMs }: EventAttempts, delivery: readonly Attempt[]): readonly Attempt[] {
  const known = attempts.find(({ times, outcome }) => isAcknowledged(outcome) && times.doneMs === knownFromMs);
  const story = known && !delivery.includes(known) ? [known, ...delivery] : delivery;
  return story.toSorted((a, b) => a.times.sentMs - b.times.sentMs);
}

function hintFor({ attempt, whileOpen, what }: Refused): string {
  const status = attempt.outcome.kind === 'response' ? attempt.outcome.status : undefined;
  const after = 'Anything else is retried, and too many of them switch the endpoint off.';
  if (what === 'retry')
    return `The first attempt had no answer, so the provider tries again, and each retry is refused. Answer 200 to what was handled already. ${after}`;
  if (whileOpen && status !== undefined && status >= 500)
    return `Two deliveries were open at the same time; the unique key held, but its violation came out as an error. Catch the conflict and answer 200. ${after}`;
  if (whileOpen && status !== undefined)
    return `Two deliveries were open at the same time. Answer 409 or 425 while the first is being worked on and 200 once it is done. ${after}`;
  return `Answer a delivery that was handled already with 200: the provider only wants to know that it arrived. ${after}`;
}

/** A duplicate that was told to come again and never did. */
function unfinished(attempts: readonly Attempt[]): readonly string[] {
  const isUnfinished = ({ deliveries, knownFromMs }: EventAttempts) =>
    knownFromMs !== Number.POSITIVE_INFINITY &&
    deliveries.some(([only, ...more]) => {
      const outcome = only?.outcome;
      const isEarly = only !== undefined && only.times.sentMs < knownFromMs;
      return more.length === 0 && isEarly && outcome?.kind === 'response' && PATIENCE.includes(outcome.status);
    });
  return eventsOf(attempts).some(isUnfinished)
    ? [
        'A duplicate was answered 409 or 425 while the first was being worked on, and was not tried again: whether a later retry gets 2xx was not seen.',
      ]
    : [];
}

function answerOf({ outcome }: Attempt): string {
  return outcome.kind === 'response' ? String(outcome.status) : `with nothing (${outcome.reason})`;
}
