import type { Send, SendTogether, SentOutcome } from '../model/attempt.ts';
import type { Composed, ExecuteOptions } from '../model/execution.ts';
import type { Step } from '../model/plan.ts';
import type { Task } from './agenda.ts';
import type { Tally } from './tally.ts';

export type AttemptSetup = {
  readonly ports: ExecuteOptions & { readonly send: Send; readonly sendTogether: SendTogether };
  readonly tally: Tally;
  /** The plan's start on the senders' clock. */
  readonly startMs: number;
  /** Breaks off what is in flight. */
  readonly signal: AbortSignal;
};

/** Makes the function that carries out one task now: composes, sends, tells `onAttempt`, and returns what came of each step. */
export function createAttempt({ ports, tally, startMs, signal }: AttemptSetup) {
  return async (task: Task): Promise<readonly SentOutcome[]> => {
    const numbers = task.steps.map(() => tally.nextNumber());
    if (task.attempt === 1) for (const _step of task.steps) tally.deliverySent();
    const composed = task.steps.map((step) => ports.compose(step, task.attempt));
    const sent = isRelease(task) ? await sendGroup(composed) : await sendEach(composed);
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

  function sendEach(composed: readonly Composed[]): Promise<readonly SentOutcome[]> {
    return Promise.all(
      composed.map(({ request, timeoutMs, cutAfterBody }) => ports.send(request, { timeoutMs, signal, cutAfterBody })),
    );
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

type Recorded = { readonly task: Task; readonly step: Step; readonly number: number; readonly sent: SentOutcome };

/** A group is released once; its retries go out one by one. Its times are told by its spread. */
function isRelease({ steps, attempt }: Task): boolean {
  return attempt === 1 && steps[0]?.delivery.group !== undefined;
}
