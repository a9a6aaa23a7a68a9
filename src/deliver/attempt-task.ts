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
  return async (task: DeliveryTask): Promise<readonly SentOutcome[]> => {
    const numbers = task.steps.map(() => tally.nextNumber());
    if (task.attempt === 1) for (const _step of task.steps) tally.deliverySent();
    const composed = task.steps.map((step) => ports.compose(step, task.attempt));
    const sending = isRelease(task) ? sendGroup(composed) : sendEach(task, composed);
    if (task.attempt === 1) for (const step of task.steps) reached(step, 'sent');
    const sent = await sending;
    for (const [index, step] of task.steps.entries()) {
      record({ task, step, number: numbers[index] ?? 0, sent: sent[index] as SentOutcome });
    }
    return sent;
  };

  async function sendGroup(composed: readonly Composed[]): Promise<readonly SentOutcome[]> {
    const timeouts = composed.map(({ timeoutMs }) => timeoutMs);
    const timeoutMs = timeouts.includes(0) ? 0 : Math.max(...timeouts);
    const requests = composed.map(({ request }) => request);
    const { sent, spreadMicros } = await ports.sendTogether(requests, { timeoutMs, signal });
    tally.spread(spreadMicros);
    return sent;
  }

  function sendEach(task: DeliveryTask, composed: readonly Composed[]): Promise<readonly SentOutcome[]> {
    return Promise.all(composed.map((each, index) => sendOne(task, task.steps[index] as DeliveryStep, each)));
  }

  async function sendOne(
    { attempt }: DeliveryTask,
    step: DeliveryStep,
    { request, timeoutMs, cutAfterBody }: Composed,
  ): Promise<SentOutcome> {
    if (attempt > 1 || !isAwaited(step, 'first-byte')) return ports.send(request, { timeoutMs, signal, cutAfterBody });
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
