import { isAcknowledged, type Outcome } from '../model/attempt.ts';
import type { ExecuteOptions } from '../model/execution.ts';
import type { Plan, Step } from '../model/plan.ts';
import { createDueQueue } from './due-queue.ts';

/** What goes out at once: one attempt of a delivery, or the first attempts of a whole group. */
export type Task = { readonly steps: readonly Step[]; readonly attempt: number; readonly dueMs: number };

export type Answer = {
  readonly step: Step;
  readonly attempt: number;
  readonly outcome: Outcome;
  readonly doneMs: number;
};

/** Knows what is due next while a plan is carried out. Times are milliseconds from the plan's start. */
export type Agenda = {
  /** The task that is due first; `undefined` when nothing is due before another answer comes. */
  readonly first: () => Task | undefined;
  readonly removeFirst: () => void;
  /** An attempt came to its end: now its retry and, after the first attempt, what waited for it are due. */
  readonly answered: (answer: Answer) => void;
};

/** `after ... answered` waits for the first attempt only: providers do not hold other events back for a retry. */
export function createAgenda(plan: Plan, isFinal: ExecuteOptions['isFinal']): Agenda {
  const queue = createDueQueue<Task>();
  const followers = followersOf(plan);
  const groups = groupsOf(plan);
  const push = (task: Task) => queue.push(task.dueMs, task);
  const stepIsDue = (step: Step, dueMs: number) => {
    const group = step.delivery.group === undefined ? undefined : groups.get(step.delivery.group);
    if (!group) return push({ steps: [step], attempt: 1, dueMs });
    group.missing--;
    group.dueMs = Math.max(group.dueMs, dueMs);
    if (group.missing === 0) push({ steps: group.steps, attempt: 1, dueMs: group.dueMs });
  };
  for (const step of plan.steps) {
    if (step.start.kind === 'at') stepIsDue(step, step.start.atMs);
  }
  return {
    first: () => queue.first()?.item,
    removeFirst: queue.removeFirst,
    answered: (answer) => {
      const { step, attempt, doneMs } = answer;
      const retryMs = retryDelay(answer, isFinal);
      if (retryMs !== undefined) push({ steps: [step], attempt: attempt + 1, dueMs: doneMs + retryMs });
      if (attempt > 1) return;
      for (const { follower, delayMs } of followers.get(step.id) ?? []) stepIsDue(follower, doneMs + delayMs);
    },
  };
}

/** `undefined` when there is no further attempt. */
function retryDelay({ step, attempt, outcome }: Answer, isFinal: ExecuteOptions['isFinal']): number | undefined {
  const { repeat } = step.delivery;
  if (repeat.kind === 'once' || isAcknowledged(outcome)) return undefined;
  if (outcome.kind === 'response' && isFinal(step, outcome.status)) return undefined;
  return repeat.delaysMs[attempt - 1];
}

type Follower = { readonly follower: Step; readonly delayMs: number };

function followersOf({ steps }: Plan): ReadonlyMap<string, readonly Follower[]> {
  const followers = new Map<string, Follower[]>(steps.map(({ id }) => [id, []]));
  for (const step of steps) {
    if (step.start.kind === 'at') continue;
    const known = followers.get(step.start.step);
    if (!known) throw new Error(`Step ${step.id} waits for ${step.start.step}, which is not in the plan.`);
    known.push({ follower: step, delayMs: step.start.delayMs });
  }
  return followers;
}

type Group = { readonly steps: Step[]; missing: number; dueMs: number };

function groupsOf({ steps }: Plan): ReadonlyMap<string, Group> {
  const groups = new Map<string, Group>();
  for (const step of steps) {
    const name = step.delivery.group;
    if (name === undefined) continue;
    const group = groups.get(name) ?? { steps: [], missing: 0, dueMs: 0 };
    group.steps.push(step);
    group.missing++;
    groups.set(name, group);
  }
  return groups;
}
