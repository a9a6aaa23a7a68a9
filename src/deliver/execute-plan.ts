import { setMaxListeners } from 'node:events';
import type { Send, SendTogether, SentOutcome } from '../model/attempt.ts';
import type { ExecuteOptions, Execution } from '../model/execution.ts';
import { type ControlStep, type DeliveryStep, deliveriesIn, isDelivery, type Plan } from '../model/plan.ts';
import type { Clock } from '../support/clock.ts';
import { type Agenda, type ControlTask, createAgenda, type DeliveryTask, isControlTask, type Task } from './agenda.ts';
import { createAttempt } from './attempt-task.ts';
import { carryOutControl, createGate, type Gate } from './carry-out-control.ts';
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
  const now = () => ports.clock.now() - startMs;
  const gate = createGate(plan.steps.filter((step): step is ControlStep => !isDelivery(step)));
  let wake = () => {};
  const attempt = createAttempt({
    ports,
    tally,
    startMs,
    signal: patience.signal,
    isAwaited: agenda.isAwaited,
    reached: (step, moment) => {
      if (!agenda.isAwaited(step, moment)) return;
      agenda.reached(step, moment, now());
      wake();
    },
  });
  const deliver = async (task: DeliveryTask) => {
    const sent = await attempt(task);
    for (const [index, step] of task.steps.entries()) {
      const { outcome, doneMs } = sent[index] as SentOutcome;
      agenda.answered({ step, attempt: task.attempt, outcome, doneMs: doneMs - startMs });
    }
  };
  const control = async ({ step }: ControlTask) => {
    gate.begins(step);
    const carriedOut = carryOutControl(step, ports);
    agenda.reached(step, 'sent', now());
    await carriedOut;
    gate.done(step);
    agenda.reached(step, 'answered', now());
  };
  const perform = (task: Task) => (isControlTask(task) ? control(task) : deliver(task));
  const onWake = (goOn: () => void) => {
    wake = goOn;
  };
  await workOff(agenda, { perform, startMs, concurrency: plan.concurrency, ports, patience, gate, onWake });
  return tally.execution({ planned: deliveriesIn(plan).length, interrupted: ports.signal.aborted });
}

type Work = {
  /** Begins at once. */
  readonly perform: (task: Task) => Promise<void>;
  readonly startMs: number;
  readonly concurrency: number;
  readonly ports: Pick<ExecutePorts, 'clock' | 'signal' | 'onInterrupt'>;
  /** Aborted to break off what is in flight. */
  readonly patience: AbortController;
  readonly gate: Gate;
  /** Gets what is to be called when something became due while all that is open goes on. */
  readonly onWake: (goOn: () => void) => void;
};

/** Ends when nothing is open and nothing more will be due, or after an interruption has been drained. */
function workOff(agenda: Agenda, work: Work): Promise<void> {
  const { perform, startMs, concurrency, ports, patience, gate, onWake } = work;
  const { clock, signal } = ports;
  return new Promise((resolve, reject) => {
    const inFlight = new Set<DeliveryStep>();
    let controls = 0;
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
      agenda.remove(task);
      if (isControlTask(task)) controls++;
      else for (const step of task.steps) inFlight.add(step);
      await perform(task);
      if (isControlTask(task)) controls--;
      else for (const step of task.steps) inFlight.delete(step);
      goOn();
    };
    const next = () => {
      if (over || signal.aborted) return undefined;
      return agenda.first(gate.held() || inFlight.size >= concurrency);
    };
    const goOn = () => {
      for (let task = next(); task; task = next()) {
        const dueMs = startMs + task.dueMs;
        if (dueMs > clock.now()) return pacer.wakeAt(dueMs);
        start(task).catch((error) => end(() => reject(error)));
      }
      if (!over && inFlight.size === 0 && controls === 0) end(resolve);
    };
    onWake(goOn);
    signal.addEventListener('abort', drain, { once: true });
    goOn();
  });
}
