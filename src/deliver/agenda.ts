import { isAcknowledged, type Outcome } from '../model/attempt.ts';
import type { ExecuteOptions } from '../model/execution.ts';
import {
  type ControlStep,
  type DeliveryStep,
  deliveriesIn,
  isDelivery,
  type Moment,
  type Plan,
  type Step,
} from '../model/plan.ts';
import { pushTo } from '../support/push-to.ts';
import { createDueQueue } from './due-queue.ts';

/** What goes out at once: one attempt of a delivery, or the first attempts of a whole group. */
export type DeliveryTask = {
  readonly steps: readonly [DeliveryStep, ...DeliveryStep[]];
  readonly attempt: number;
  readonly dueMs: number;
};

export type ControlTask = { readonly step: ControlStep; readonly dueMs: number };

export type Task = DeliveryTask | ControlTask;

export function isControlTask(task: Task): task is ControlTask {
  return 'step' in task;
}

export type Answer = {
  readonly step: DeliveryStep;
  readonly attempt: number;
  readonly outcome: Outcome;
  readonly doneMs: number;
};

/** Knows what is due next while a plan is carried out. Times are milliseconds from the plan's start. */
export type Agenda = {
  /**
   * The task that is due first; `undefined` when nothing is due before something else comes.
   * @param held true when deliveries must wait, whatever is due
   */
  readonly first: (held: boolean) => Task | undefined;
  readonly remove: (task: Task) => void;
  /** An attempt came to its end: now its retry and, after the first attempt, what waited for it are due. */
  readonly answered: (answer: Answer) => void;
  /** A step came so far; what waits for that, or for an earlier moment of it, is due. */
  readonly reached: (step: Step, moment: Moment, nowMs: number) => void;
  /** Whether some step waits for this moment of that one. */
  readonly isAwaited: (step: Step, moment: Moment) => boolean;
};

const MOMENTS: readonly Moment[] = ['sent', 'first-byte', 'answered'];

/** `after ... answered` waits for the first attempt only: providers do not hold other events back for a retry. */
export function createAgenda(plan: Plan, isFinal: ExecuteOptions['isFinal']): Agenda {
  const deliveries = createDueQueue<DeliveryTask>();
  const controls = createDueQueue<ControlTask>();
  const followers = followersOf(plan);
  const groups = groupsOf(plan);
  const push = (task: DeliveryTask) => deliveries.push(task.dueMs, task);
  const stepIsDue = (step: Step, dueMs: number) => {
    if (!isDelivery(step)) return controls.push(dueMs, { step, dueMs });
    const group = step.delivery.group === undefined ? undefined : groups.get(step.delivery.group);
    if (!group) return push({ steps: [step], attempt: 1, dueMs });
    group.missing--;
    group.dueMs = Math.max(group.dueMs, dueMs);
    if (group.missing === 0) push({ steps: group.steps, attempt: 1, dueMs: group.dueMs });
  };
  const reached = (step: Step, moment: Moment, nowMs: number) => {
    const waiting = followers.get(step.id);
    if (!waiting) return;
    const isDue = (follower: Follower) => MOMENTS.indexOf(follower.moment) <= MOMENTS.indexOf(moment);
    if (!waiting.some(isDue)) return;
    const left = waiting.filter((follower) => !isDue(follower));
    if (left.length > 0) followers.set(step.id, left);
    else followers.delete(step.id);
    for (const follower of waiting) if (isDue(follower)) stepIsDue(follower.step, nowMs + follower.delayMs);
  };
  for (const step of plan.steps) {
    if (step.start.kind === 'at') stepIsDue(step, step.start.atMs);
  }
  return {
    first: (held) => {
      const [control, delivery] = [controls.first()?.item, held ? undefined : deliveries.first()?.item];
      return control && !(delivery && delivery.dueMs < control.dueMs) ? control : delivery;
    },
    remove: (task) => (isControlTask(task) ? controls : deliveries).removeFirst(),
    answered: (answer) => {
      const { step, attempt, doneMs } = answer;
      const retryMs = retryDelay(answer, isFinal);
      if (retryMs !== undefined) push({ steps: [step], attempt: attempt + 1, dueMs: doneMs + retryMs });
      if (attempt === 1) reached(step, 'answered', doneMs);
    },
    reached,
    isAwaited: ({ id }, moment) => followers.get(id)?.some((follower) => follower.moment === moment) ?? false,
  };
}

/** `undefined` when there is no further attempt. */
function retryDelay({ step, attempt, outcome }: Answer, isFinal: ExecuteOptions['isFinal']): number | undefined {
  const { repeat } = step.delivery;
  if (repeat.kind === 'once' || isAcknowledged(outcome)) return undefined;
  if (outcome.kind === 'response' && isFinal(step, outcome.status)) return undefined;
  return repeat.delaysMs[attempt - 1];
}

type Follower = { readonly step: Step; readonly moment: Moment; readonly delayMs: number };

/** Of the steps that something waits for. */
function followersOf({ steps }: Plan): Map<string, readonly Follower[]> {
  const followers = new Map<string, Follower[]>();
  for (const step of steps) {
    if (step.start.kind === 'at') continue;
    const { step: awaited, moment, delayMs } = step.start;
    pushTo(followers, awaited, { step, moment, delayMs });
  }
  const missing = new Map([...followers].map(([awaited, [first]]) => [awaited, first?.step.id]));
  if (missing.size > 0) for (const { id } of steps) missing.delete(id);
  for (const [awaited, id] of missing) throw new Error(`Step ${id} waits for ${awaited}, which is not in the plan.`);
  return followers;
}

type Group = { readonly steps: [DeliveryStep, ...DeliveryStep[]]; missing: number; dueMs: number };

function groupsOf(plan: Plan): ReadonlyMap<string, Group> {
  const groups = new Map<string, Group>();
  for (const step of deliveriesIn(plan)) {
    const name = step.delivery.group;
    if (name === undefined) continue;
    const group = groups.get(name);
    if (group) {
      group.steps.push(step);
      group.missing++;
    } else {
      groups.set(name, { steps: [step], missing: 1, dueMs: 0 });
    }
  }
  return groups;
}
