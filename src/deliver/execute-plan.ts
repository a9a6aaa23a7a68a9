import { setMaxListeners } from 'node:events';
import type { Send, SendTogether, SentOutcome } from '../model/attempt.ts';
import type { ExecuteOptions, Execution } from '../model/execution.ts';
import type { Plan, Step } from '../model/plan.ts';
import type { Clock } from '../support/clock.ts';
import { type Agenda, createAgenda, type Task } from './agenda.ts';
import { createAttempt } from './attempt-task.ts';
import { createPacer } from './pacer.ts';
import { createTally } from './tally.ts';

export type ExecutePorts = ExecuteOptions & {
  /** `sentMs` and `doneMs` of the senders are readings of this clock. */
  readonly clock: Clock;
  readonly send: Send;
  readonly sendTogether: SendTogether;
};

/** How long an interrupted plan waits for the answers it is still owed. */
const DRAIN_MS = 10_000;

/**
 * Carries out a plan: everything when it is due, never early, at most `concurrency` open at a time. Due times are
 * instants, not distances, so that lateness does not add up. The schedule's error counts deliveries planned for a time
 * behind the start: those at 0 go out as fast as `concurrency` lets them. Rejects only when a port throws.
 */
export async function executePlan(plan: Plan, ports: ExecutePorts): Promise<Execution> {
  const tally = createTally();
  const agenda = createAgenda(plan, ports.isFinal);
  const patience = new AbortController();
  setMaxListeners(0, patience.signal);
  const startMs = ports.clock.now();
  const attempt = createAttempt({ ports, tally, startMs, signal: patience.signal });
  const perform = async (task: Task) => {
    const sent = await attempt(task);
    for (const [index, step] of task.steps.entries()) {
      const { outcome, doneMs } = sent[index] as SentOutcome;
      agenda.answered({ step, attempt: task.attempt, outcome, doneMs: doneMs - startMs });
    }
  };
  await workOff(agenda, { perform, startMs, concurrency: plan.concurrency, ports, patience });
  return tally.execution({ planned: plan.steps.length, interrupted: ports.signal.aborted });
}

type Work = {
  readonly perform: (task: Task) => Promise<void>;
  readonly startMs: number;
  readonly concurrency: number;
  readonly ports: Pick<ExecutePorts, 'clock' | 'signal' | 'onInterrupt'>;
  /** Aborted to break off what is in flight. */
  readonly patience: AbortController;
};

/** Ends when nothing is open and nothing more will be due, or after an interruption has been drained. */
function workOff(agenda: Agenda, { perform, startMs, concurrency, ports, patience }: Work): Promise<void> {
  const { clock, signal } = ports;
  return new Promise((resolve, reject) => {
    const inFlight = new Set<Step>();
    let over = false;
    const pacer = createPacer(clock, () => goOn());
    const end = (settle: () => void) => {
      over = true;
      pacer.stop();
      signal.removeEventListener('abort', drain);
      patience.abort();
      settle();
    };
    const drain = () => {
      pacer.stop();
      ports.onInterrupt?.([...inFlight], DRAIN_MS);
      void clock.sleep(DRAIN_MS, patience.signal).then(() => patience.abort());
      goOn();
    };
    const start = async (task: Task) => {
      agenda.removeFirst();
      for (const step of task.steps) inFlight.add(step);
      await perform(task);
      for (const step of task.steps) inFlight.delete(step);
      goOn();
    };
    const mayStart = () => !over && !signal.aborted && inFlight.size < concurrency;
    const goOn = () => {
      while (mayStart()) {
        const task = agenda.first();
        if (!task) break;
        const dueMs = startMs + task.dueMs;
        if (dueMs > clock.now()) return pacer.wakeAt(dueMs);
        start(task).catch((error) => end(() => reject(error)));
      }
      if (!over && inFlight.size === 0) end(resolve);
    };
    signal.addEventListener('abort', drain, { once: true });
    goOn();
  });
}
