import type { Send, SendTogether, SentOutcome } from '../model/attempt.ts';
import type { Composed, ExecuteOptions } from '../model/execution.ts';
import type { DeliveryStep, Moment } from '../model/plan.ts';
import type { Agenda, DeliveryTask } from './agenda.ts';
import type { Tally } from './tally.ts';

export type AttemptSetup = {
  readonly ports: ExecuteOptions & { readonly send: Send; readonly sendTogether: SendTogether };
  readonly tally: Tally;
  /** The plan's start on the senders' clock. */
  readonly startMs: number;
  /** Breaks off what is in flight. */
  readonly signal: AbortSignal;
  readonly isAwaited: Agenda['isAwaited'];
  /** Told of the moments of first attempts that come before their end. */
  readonly reached: (step: DeliveryStep, moment: Moment) => void;
};

/** Makes the function that carries out one task now: composes, sends, tells `onAttempt`, and returns what came of each step. */
export function createAttempt({ ports, tally, startMs, signal, isAwaited, reached }: AttemptSetup) {
  return (task: DeliveryTask): Promise<readonly SentOutcome[]> =>
    isRelease(task) ? release(task) : sendAlone(task, task.steps[0]);

  async function release(task: DeliveryTask): Promise<readonly SentOutcome[]> {
    const numbers = task.steps.map(() => begin(task));
    const composed = task.steps.map((step) => ports.compose(step, task.attempt));
    const timeouts = composed.map(({ timeoutMs }) => timeoutMs);
    const timeoutMs = timeouts.includes(0) ? 0 : Math.max(...timeouts);
    const requests = composed.map(({ request }) => request);
    const sending = ports.sendTogether(requests, { timeoutMs, signal });
    for (const step of task.steps) reached(step, 'sent');
    const { sent, spreadMicros } = await sending;
    tally.spread(spreadMicros);
    for (const [index, step] of task.steps.entries()) {
      record({ task, step, number: numbers[index] ?? 0, sent: sent[index] as SentOutcome });
    }
    return sent;
  }

  async function sendAlone(task: DeliveryTask, step: DeliveryStep): Promise<readonly SentOutcome[]> {
    const number = begin(task);
    const sending = send(step, task.attempt, ports.compose(step, task.attempt));
    if (task.attempt === 1) reached(step, 'sent');
    const sent = await sending;
    record({ task, step, number, sent });
    return [sent];
  }

  function begin({ attempt }: DeliveryTask): number {
    if (attempt === 1) tally.deliverySent();
    return tally.nextNumber();
  }

  function send(step: DeliveryStep, attempt: number, composed: Composed): Promise<SentOutcome> {
    const { request, timeoutMs, cutAfterBody } = composed;
    if (attempt > 1 || !isAwaited(step, 'first-byte')) return ports.send(request, { timeoutMs, signal, cutAfterBody });
    return sendHeard(step, composed);
  }

  async function sendHeard(step: DeliveryStep, { request, timeoutMs }: Composed): Promise<SentOutcome> {
    const onFirstByte = () => reached(step, 'first-byte');
    const { sent } = await ports.sendTogether([request], { timeoutMs, signal, onFirstByte });
    return sent[0] as SentOutcome;
  }

  function record({ task, step, number, sent }: Recorded): void {
    const { event, copy, group } = step.delivery;
    const times = { plannedMs: task.dueMs, sentMs: sent.sentMs - startMs, doneMs: sent.doneMs - startMs };
    const isPlannedTime = step.start.kind === 'at' && step.start.atMs > 0 && task.attempt === 1;
    if (isPlannedTime && !isRelease(task)) tally.scheduleError(times.sentMs - times.plannedMs);
    ports.onAttempt({
      number,
      step: step.id,
      event,
      round: ports.round,
      copy,
      attempt: task.attempt,
      ...(isRelease(task) ? { group } : {}),
      times,
      outcome: sent.outcome,
    });
  }
}

type Recorded = {
  readonly task: DeliveryTask;
  readonly step: DeliveryStep;
  readonly number: number;
  readonly sent: SentOutcome;
};

/** A group is released once; its retries go out one by one. Its times are told by its spread. */
function isRelease({ steps, attempt }: DeliveryTask): boolean {
  return attempt === 1 && steps[0]?.delivery.group !== undefined;
}
