import { type Attempt, isAcknowledged } from '../model/attempt.ts';
import { deliveriesIn } from '../model/plan.ts';
import { plural } from '../support/plural.ts';
import type { Case } from './checks/check.ts';
import type { Difference } from './difference.ts';
import { overlapped } from './trail.ts';

/** The likely cause of too much, as far as the evidence shows it. */
export function hintForSecond(difference: Difference, subject: Case): string {
  const { row } = difference;
  const attempts = subject.trail.attemptsBehind(row);
  const seen = attempts.length > 0 ? attempts : anyEventOf(subject);
  const delivered = `Delivered ${timesText(seen.length)}`;
  if (!subject.hasRepeats)
    return 'Each event was delivered once, but in another order, and that made more of it: an update that comes before its create must not make something of its own.';
  if (overlapped(seen)) {
    return `${delivered}, with two requests open at the same time and both acknowledged: a check followed by an insert, without a unique key, is the usual cause. Let the database decide: a unique constraint on the event id, in the transaction of the effect.`;
  }
  if (isRetryAfterTrouble(seen)) {
    return `${delivered}: the first attempt was not acknowledged, yet it took effect, and the retry did it again. Commit the effect and the event id in one transaction, and answer 2xx to what is known already.`;
  }
  if (row.kind === 'changed' || difference.kind === 'other-row') {
    return `${delivered}; a repeated delivery changed what was there already. Put the whole effect behind the guard, in one transaction with the event id.`;
  }
  const key = isRedelivered(seen, subject)
    ? 'Either nothing remembers the event, or it is remembered by something that is new on each delivery, such as the delivery id. '
    : 'Nothing remembers the event, or it is remembered by something that is new on each attempt, such as a timestamp. ';
  return `${delivered}, one after the other. ${key}Key on the provider's event id, in the transaction of the effect. A log that has a row for each delivery may be ignored.`;
}

/** The likely cause of too little. */
export function hintForLost({ kind, rounds, row }: Difference, subject: Case): string {
  const attempts = subject.trail.attemptsBehind(row);
  const acknowledged = attempts.filter(({ outcome }) => isAcknowledged(outcome));
  if (kind !== 'missing') return LOST_UPDATE;
  if (attempts.length > 0 && acknowledged.length === 0) {
    return `None of ${plural(attempts.length, 'attempt')} was acknowledged, though the same event was in the baseline. What the answers say is in the receiver's log; an event that is refused for ever is lost.`;
  }
  if (isRetryAfterTrouble(attempts) && rounds.some(subject.ledgerKnows)) {
    return 'The retry was acknowledged as a duplicate, the ledger has its row, and the effect is missing: the ledger is committed before its effect. Commit both in one transaction.';
  }
  if (overlapped(attempts)) {
    return 'Two deliveries were open at the same time and both were acknowledged, yet the effect is not there: an answer to the second while the first may still fail, or two writers of which one overwrote the other.';
  }
  return 'The deliveries were acknowledged, yet the effect is not there. A guard that is committed before its effect, an answer given before the work is stored, or an error that is swallowed loses it.';
}

const LOST_UPDATE =
  'Two deliveries that read, add and write at the same time lose one of the two. Add in the database (SET total = total + ?), or lock the row.';

/** The likely cause of a state that the order of arrival made. */
export function hintForOrder({ row }: Difference, { trail }: Case): string {
  const rule =
    'Compare the version or time that the event carries with what is stored, in the statement that writes (UPDATE ... WHERE version < ?), and drop what is older.';
  return overlapped(trail.attemptsBehind(row))
    ? `Two events of one resource were being handled at the same time, and the older one was written last, or one write was lost. ${rule}`
    : `An older event was written over a newer one, or a newer one was dropped. ${rule}`;
}

/** Where the row does not tell its round, one event of one round speaks for all. */
function anyEventOf({ trail }: Case): readonly Attempt[] {
  const [first] = trail.attempts;
  return first ? trail.attempts.filter(({ round, event }) => round === first.round && event === first.event) : [];
}

/** An attempt that failed or stayed without answer, and a later one that was acknowledged. */
function isRetryAfterTrouble(attempts: readonly Attempt[]): boolean {
  const trouble = attempts.findIndex(
    ({ outcome }) => outcome.kind === 'no-response' || (outcome.kind === 'response' && outcome.status >= 500),
  );
  return trouble >= 0 && attempts.slice(trouble + 1).some(({ outcome }) => isAcknowledged(outcome));
}

function isRedelivered(attempts: readonly Attempt[], { plan }: Case): boolean {
  const [first] = attempts;
  return deliveriesIn(plan).some(({ delivery }) => delivery.event === first?.event && delivery.as === 'redelivery');
}

function timesText(count: number): string {
  return count === 1 ? 'once' : `${count} times`;
}
