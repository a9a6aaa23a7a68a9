import { createHash } from 'node:crypto';
import type { EventEvidence, RoundEvidence } from '../judge/evidence.ts';
import { type Attempt, isAcknowledged } from '../model/attempt.ts';
import type { WebhookEvent } from '../model/event.ts';
import type { Execution } from '../model/execution.ts';
import { type ControlStep, type DeliveryStep, deliveriesIn, type Plan } from '../model/plan.ts';
import type { Strike } from '../model/receiver-control.ts';
import { findProvider } from '../providers/list.ts';
import { isFinal } from '../providers/retry-plan.ts';
import { type Courier, labelOf } from './courier.ts';
import { withoutBody } from './ports.ts';

/** The ids that one round's events go out with. */
export type RoundIdentity = {
  readonly round: string;
  /** What deliveries call it, in a round with several. */
  readonly name?: string | undefined;
  readonly map: ReadonlyMap<string, string>;
  readonly apply: (event: WebhookEvent) => WebhookEvent;
  readonly toOriginal: (text: string) => string;
  /** Absent for captured ids. */
  readonly renewed?: RoundEvidence['renewed'];
};

/** The events as they were captured. */
export function capturedIdentity(round: string): RoundIdentity {
  return { round, map: new Map(), apply: (event) => event, toOriginal: (text) => text };
}

/** A plan to be carried out once, and the identities its deliveries go out with; those that name none get the first. */
export type RoundRequest = { readonly plan: Plan; readonly identities: readonly [RoundIdentity, ...RoundIdentity[]] };

export type DeliveredRound = {
  readonly execution: Execution;
  /** One for each identity: each is expected to have the effects of its events once. */
  readonly evidence: readonly RoundEvidence[];
  readonly attempts: readonly Attempt[];
  readonly strikes: readonly Struck[];
};

/** What came of a fault of the plan. */
export type Struck = { readonly step: ControlStep; readonly strike: Strike };

/** Clears the receiver's state and creates what the events refer to, as far as the user wants it. What that changes is no effect: sources are read after it. */
export async function prepareRound({ identities }: RoundRequest, { ports }: Courier): Promise<void> {
  await ports.reset?.();
  for (const { map } of identities) await ports.setup?.(map);
}

/** For a round whose sources nobody reads. */
export async function deliverRound(round: RoundRequest, courier: Courier): Promise<DeliveredRound> {
  await prepareRound(round, courier);
  return deliverPrepared(round, courier);
}

/** Carries out a plan once, and keeps what the judge needs of it. */
export async function deliverPrepared({ plan, identities }: RoundRequest, courier: Courier): Promise<DeliveredRound> {
  const { ports } = courier;
  const cast = createCast({ plan, identities }, courier);
  const roundOf = cast.roundOf();
  const attempts: Attempt[] = [];
  const strikes: Struck[] = [];
  const startMs = courier.now();
  const copies = copiesIn(plan);
  const execution = await ports.execute(plan, {
    round: identities[0].round,
    signal: ports.signal,
    onInterrupt: courier.interrupted,
    receiver: ports.receiver,
    onStrike: (step, strike) => strikes.push({ step, strike }),
    isFinal: (step, status) => isFinal(findProvider(courier.event(step.delivery.event).provider), status),
    compose: (step, attempt) => {
      const { copy, as, change, forgery, abandon } = step.delivery;
      const isRedelivery = as === 'redelivery' || attempt > 1;
      return ports.compose({ event: cast.event(step), copy, attempt, isRedelivery, change, forgery, abandon });
    },
    onAttempt: (attempt) => {
      const round = roundOf(attempt.step);
      const named = round === attempt.round ? attempt : { ...attempt, round };
      const numbered = courier.record(named, { startMs, copies: copies.get(attempt.event) ?? 1 });
      if (courier.keepAttempts) attempts.push(withoutBody(numbered));
    },
  });
  return { execution, evidence: courier.keepAttempts ? cast.evidence() : [], attempts, strikes };
}

/** Who plays whom: each event under each identity, made once. */
function createCast({ plan, identities }: RoundRequest, courier: Courier) {
  const planned = new Set(deliveriesIn(plan).map(({ delivery }) => delivery.event));
  const applied = new Map<RoundIdentity, Map<string, WebhookEvent>>(
    identities.map((identity) => [identity, new Map()]),
  );
  const identityOf = (step: DeliveryStep | undefined) =>
    identities.find(({ name }) => name !== undefined && name === step?.delivery.identity) ?? identities[0];
  return {
    /** The round that a step's attempts belong to, by the step's id. */
    roundOf: (): ((step: string) => string) => {
      if (identities.length === 1) return () => identities[0].round;
      const rounds = new Map(deliveriesIn(plan).map((step) => [step.id, identityOf(step).round]));
      return (step) => rounds.get(step) ?? identities[0].round;
    },
    event: (step: DeliveryStep): WebhookEvent => {
      const identity = identityOf(step);
      const events = applied.get(identity) as Map<string, WebhookEvent>;
      const event = events.get(step.delivery.event) ?? identity.apply(courier.event(step.delivery.event));
      events.set(step.delivery.event, event);
      return event;
    },
    evidence: (): readonly RoundEvidence[] =>
      identities.map((identity) => ({
        round: identity.round,
        toOriginal: identity.toOriginal,
        renewed: identity.renewed,
        events: courier.events
          .filter(({ id }) => planned.has(id))
          .map((event) => evidenceOf(event, applied.get(identity)?.get(event.id))),
      })),
  };
}

function copiesIn(plan: Plan): ReadonlyMap<string, number> {
  const copies = new Map<string, number>();
  for (const { delivery } of deliveriesIn(plan)) copies.set(delivery.event, (copies.get(delivery.event) ?? 0) + 1);
  return copies;
}

function evidenceOf(captured: WebhookEvent, sent: WebhookEvent = captured): EventEvidence {
  const hashes = ['sha256', 'sha1', 'md5'].map((algorithm) => createHash(algorithm).update(sent.payload).digest('hex'));
  const ids = [sent.eventId, sent.deliveryId].filter((id) => id !== undefined);
  return {
    id: captured.id,
    label: labelOf(captured),
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
