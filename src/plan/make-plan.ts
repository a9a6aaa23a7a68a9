import type { DeliveryPlan } from '../model/plan.ts';
import { UserError } from '../support/errors.ts';
import { seededRandom } from '../support/random.ts';
import { type Draft, deliveriesOf, draftOf, type PlanEvent } from './draft.ts';
import { type ParsedPattern, parsePattern } from './parse-pattern.ts';
import type { RetryDelays } from './pattern.ts';
import { schedule } from './schedule.ts';

export type PlanRequest = {
  /** Oldest first. */
  readonly events: readonly PlanEvent[];
  /** `name[:argument]`, joined by `+`. */
  readonly pattern: string;
  readonly seed: number;
  /** True: strictly one delivery after the other's answer. */
  readonly ordered: boolean;
  readonly concurrency: number;
  /** Providers' retry delays are divided by it; 1 is real time. */
  readonly speed: number;
  readonly retryPlanOf: (provider: string) => RetryDelays;
};

/** A plan is held in memory and stored with its run. */
const MOST_DELIVERIES = 2_000_000;

/** The same request gives the same plan, byte for byte. Throws `UserError` for patterns that make no sense here. */
export function makePlan(request: PlanRequest): DeliveryPlan {
  const { events, seed, ordered, concurrency, speed, retryPlanOf } = request;
  const parsed = parsePattern(request.pattern);
  if (ordered) refuseOrderedBurst(parsed);
  const context = { random: seededRandom(seed, 'plan', parsed.text), speed, retryPlanOf };
  const draft = parsed.changes.reduce((changed, change) => change(changed, context), draftOf(events, ordered));
  refuseHugePlan(draft, parsed);
  const { steps, reorders } = schedule(draft);
  return { pattern: parsed.text, seed, steps, reorders, concurrency };
}

function refuseOrderedBurst({ names }: ParsedPattern): void {
  if (!names.includes('burst')) return;
  throw new UserError(
    'ORDERED_BURST',
    'A burst cannot be ordered: it sends whatever is answered, --ordered waits for answers.',
    {
      hint: 'Leave out --ordered, or use the pattern "duplicate", which waits for each answer.',
    },
  );
}

function refuseHugePlan({ turns }: Draft, { text }: ParsedPattern): void {
  const deliveries = turns.reduce((sum, turn) => sum + deliveriesOf(turn), 0);
  if (deliveries <= MOST_DELIVERIES) return;
  throw new UserError(
    'PLAN_TOO_LARGE',
    `"${text}" over ${turns.length} events makes ${deliveries} deliveries; a plan holds at most ${MOST_DELIVERIES}.`,
    { hint: 'Select fewer events, or lower the number behind the colon.' },
  );
}
