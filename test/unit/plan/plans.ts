import type { DeliveryPlan } from '../../../src/model/plan.ts';
import type { PlanEvent } from '../../../src/plan/draft.ts';
import { makePlan, type PlanRequest } from '../../../src/plan/make-plan.ts';

/** `a1 a2 b1 -`: events of resource a and b; `-` begins the id of an event without resource. */
function events(names: string): readonly PlanEvent[] {
  return names
    .split(' ')
    .filter(Boolean)
    .map((id) => ({ id, provider: 'stripe', ...(id.startsWith('-') ? {} : { resource: id.slice(0, 1) }) }));
}

const RETRIES = { delaysMs: [5000, 300_000, 1_800_000], assumed: true };

export function planOf(names: string, pattern: string, more: Partial<PlanRequest> = {}): DeliveryPlan {
  return makePlan({
    events: events(names),
    pattern,
    seed: 7,
    ordered: false,
    concurrency: 10,
    speed: 1,
    retryPlanOf: () => RETRIES,
    ...more,
  });
}

/** A step a word: `a1` at the start, `a1@20` at 20 ms, `a1'>s1` copy 2 after s1, `a1>s1+20` 20 ms after s1, `a1[g1]` in a group. */
export function notation(plan: DeliveryPlan): string {
  return plan.steps
    .map(({ start, delivery }) => {
      const name = `${delivery.event}${"'".repeat(delivery.copy - 1)}`;
      const group = delivery.group ? `[${delivery.group}]` : '';
      if (start.kind === 'at') return `${name}${group}${start.atMs ? `@${start.atMs}` : ''}`;
      return `${name}${group}>${start.step}${start.delayMs ? `+${start.delayMs}` : ''}`;
    })
    .join(' ');
}
