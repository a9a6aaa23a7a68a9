import { createHash } from 'node:crypto';
import type { EventEvidence, RoundEvidence } from '../judge/evidence.ts';
import { type Attempt, isAcknowledged } from '../model/attempt.ts';
import type { WebhookEvent } from '../model/event.ts';
import type { Execution } from '../model/execution.ts';
import type { Plan, Step } from '../model/plan.ts';
import { findProvider } from '../providers/list.ts';
import { isFinal } from '../providers/retry-plan.ts';
import type { Courier } from './courier.ts';

/** The ids that one round's events go out with. */
export type RoundIdentity = {
  readonly round: string;
  readonly map: ReadonlyMap<string, string>;
  readonly apply: (event: WebhookEvent) => WebhookEvent;
  readonly toOriginal: (text: string) => string;
};

/** The events as they were captured. */
export function capturedIdentity(round: string): RoundIdentity {
  return { round, map: new Map(), apply: (event) => event, toOriginal: (text) => text };
}

export type DeliveredRound = {
  readonly execution: Execution;
  readonly evidence: RoundEvidence;
  readonly attempts: readonly Attempt[];
};

/** Carries out a plan once with one round's identities, and keeps what the judge needs of it. */
export async function deliverRound(plan: Plan, identity: RoundIdentity, courier: Courier): Promise<DeliveredRound> {
  const { events, ports } = courier;
  await ports.reset?.();
  await ports.setup?.(identity.map);
  const applied = new Map<string, WebhookEvent>();
  const eventOf = ({ delivery }: Step) => {
    const known = applied.get(delivery.event) ?? identity.apply(courier.event(delivery.event));
    applied.set(delivery.event, known);
    return known;
  };
  const attempts: Attempt[] = [];
  const startMs = courier.now();
  const copies = copiesIn(plan);
  const execution = await ports.execute(plan, {
    round: identity.round,
    signal: ports.signal,
    isFinal: (step, status) => isFinal(findProvider(courier.event(step.delivery.event).provider), status),
    compose: (step, attempt) => {
      const { copy, as } = step.delivery;
      return ports.compose({ event: eventOf(step), copy, attempt, isRedelivery: as === 'redelivery' || attempt > 1 });
    },
    onAttempt: (attempt) => {
      const kept = courier.record(attempt, { startMs, copies: copies.get(attempt.event) ?? 1 });
      if (courier.keepAttempts) attempts.push(kept);
    },
  });
  const evidence = {
    round: identity.round,
    toOriginal: identity.toOriginal,
    events: courier.keepAttempts ? events.map((event) => evidenceOf(event, applied.get(event.id))) : [],
  };
  return { execution, evidence, attempts };
}

function copiesIn({ steps }: Plan): ReadonlyMap<string, number> {
  const copies = new Map<string, number>();
  for (const { delivery } of steps) copies.set(delivery.event, (copies.get(delivery.event) ?? 0) + 1);
  return copies;
}

function evidenceOf(captured: WebhookEvent, sent: WebhookEvent = captured): EventEvidence {
  const hashes = ['sha256', 'sha1', 'md5'].map((algorithm) => createHash(algorithm).update(sent.payload).digest('hex'));
  const ids = [sent.eventId, sent.deliveryId].filter((id) => id !== undefined);
  return {
    id: captured.id,
    label: captured.eventId ?? captured.id,
    resource: captured.resource,
    marks: [...ids, ...hashes],
  };
}

/** The last attempt of each delivery that was never acknowledged. */
export function refusedIn(attempts: readonly Attempt[]): readonly Attempt[] {
  const last = new Map<string, Attempt>();
  for (const attempt of attempts) last.set(attempt.step, attempt);
  return [...last.values()].filter(({ outcome }) => !isAcknowledged(outcome));
}
