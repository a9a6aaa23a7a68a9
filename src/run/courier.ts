import { type Attempt, type AttemptTimes, isAcknowledged } from '../model/attempt.ts';
import type { WebhookEvent } from '../model/event.ts';
import type { DeliveryStep } from '../model/plan.ts';
import type { RunPorts, RunRequest } from './ports.ts';

/** Knows the run's events by id and writes down every attempt: to the listeners, and to the corpus in batches. */
export type Courier = {
  readonly events: readonly WebhookEvent[];
  readonly event: (id: string) => WebhookEvent;
  readonly ports: RunPorts;
  readonly keepAttempts: boolean;
  /** Milliseconds since the run began. */
  readonly now: () => number;
  /** Numbers the attempt over the whole run, puts its times on the run's clock and returns it. */
  readonly record: (attempt: Attempt, plan: { readonly startMs: number; readonly copies: number }) => Attempt;
  /** The body of an answer, while it was among the last few that were no 2xx; else empty. */
  readonly lastBody: (attempt: number) => string;
  readonly flush: () => void;
  readonly attempts: () => number;
  /** To be told what is in flight when the run is interrupted. */
  readonly interrupted: (inFlight: readonly DeliveryStep[], boundMs: number) => void;
  /** What was in flight then, for people; absent unless the run was interrupted while it delivered. */
  readonly inFlight: () => readonly string[] | undefined;
};

type CourierRequest = { readonly request: Pick<RunRequest, 'events'>; readonly keepAttempts: boolean };

const BATCH = 500;
const KEPT_BODIES = 50;

/** @param keepAttempts true when attempts are evidence; a run that judges answers only must not hold 100,000 of them */
export function createCourier(run: string, { request, keepAttempts }: CourierRequest, ports: RunPorts): Courier {
  const byId = new Map(request.events.map((event) => [event.id, event]));
  const startMs = ports.clock.now();
  let batch: Attempt[] = [];
  let count = 0;
  let inFlight: readonly string[] | undefined;
  const bodies = new Map<number, string>();
  const keepBody = ({ number, outcome }: Attempt) => {
    if (outcome.kind !== 'response' || isAcknowledged(outcome)) return;
    bodies.set(number, Buffer.from(outcome.body).toString('utf8'));
    const [oldest] = bodies.keys();
    if (bodies.size > KEPT_BODIES && oldest !== undefined) bodies.delete(oldest);
  };
  const flush = () => {
    if (batch.length > 0) ports.store?.addAttempts(run, batch);
    batch = [];
  };
  const event = (id: string) => {
    const found = byId.get(id);
    if (!found) throw new Error(`The plan names an event that is not in it: ${id}`);
    return found;
  };
  return {
    events: request.events,
    event,
    ports,
    keepAttempts,
    now: () => ports.clock.now() - startMs,
    record: (attempt, { startMs: planStartMs, copies }) => {
      const numbered = { ...attempt, number: ++count, times: later(attempt.times, planStartMs) };
      ports.listen({ kind: 'attempted', attempt: numbered, label: labelOf(event(attempt.event)), copies });
      keepBody(numbered);
      batch.push(numbered);
      if (batch.length >= BATCH) flush();
      return numbered;
    },
    lastBody: (attempt) => bodies.get(attempt) ?? '',
    flush,
    attempts: () => count,
    interrupted: (steps, boundMs) => {
      inFlight = steps.map(({ delivery }) => `${labelOf(event(delivery.event))}, copy ${delivery.copy}`);
      ports.listen({ kind: 'interrupted', inFlight, boundMs });
    },
    inFlight: () => inFlight,
  };
}

/** What people call an event: the provider's id, else ours. */
export function labelOf({ eventId, id }: WebhookEvent): string {
  return eventId ?? id;
}

/** A plan's times count from its own start; a run has several plans. */
function later({ plannedMs, sentMs, doneMs }: AttemptTimes, byMs: number): AttemptTimes {
  return { plannedMs: plannedMs + byMs, sentMs: sentMs + byMs, doneMs: doneMs + byMs };
}
