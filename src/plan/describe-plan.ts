import { type DeliveryStep, deliveriesIn, type Plan, type Step } from '../model/plan.ts';

export type PlanDescription = {
  readonly deliveries: number;
  readonly events: number;
  /** Deliveries beyond the first of their event. */
  readonly copies: number;
  /** Deliveries that go out at an offset from the start. */
  readonly atOffsets: number;
  /** Deliveries that wait for another one's answer. */
  readonly afterAnswers: number;
  /** Release groups, and how many deliveries they hold. */
  readonly groups: number;
  readonly inGroups: number;
  /** Retries that may come on top, if every answer asks for them. */
  readonly mostRetries: number;
  /** When the last delivery goes out if every answer comes at once. */
  readonly lastOffsetMs: number;
  /** True when `lastOffsetMs` does not depend on answers. */
  readonly exact: boolean;
};

export function describePlan(plan: Plan): PlanDescription {
  const offsets = earliestOffsets(plan.steps);
  const steps = deliveriesIn(plan);
  const atOffsets = steps.filter(({ start }) => start.kind === 'at').length;
  const grouped = steps.flatMap(({ delivery }) => delivery.group ?? []);
  const events = new Set(steps.map(({ delivery }) => delivery.event)).size;
  const mostRetries = steps.reduce((sum, step) => sum + retriesOf(step), 0);
  return {
    deliveries: steps.length,
    events,
    copies: steps.length - events,
    atOffsets,
    afterAnswers: steps.length - atOffsets,
    groups: new Set(grouped).size,
    inGroups: grouped.length,
    mostRetries,
    lastOffsetMs: offsets.reduce((last, offset) => Math.max(last, offset), 0),
    exact: plan.steps.every(({ start }) => start.kind === 'at') && mostRetries === 0,
  };
}

/** A step's offset from the plan's start if every answer came at once, in the steps' order. */
function earliestOffsets(steps: readonly Step[]): readonly number[] {
  const known = new Map<string, number>();
  return steps.map(({ id, start }) => {
    const offset = start.kind === 'at' ? start.atMs : (known.get(start.step) ?? 0) + start.delayMs;
    known.set(id, offset);
    return offset;
  });
}

function retriesOf({ delivery: { repeat } }: DeliveryStep): number {
  return repeat.kind === 'once' ? 0 : repeat.delaysMs.length;
}
