import type { WebhookEvent } from '../model/event.ts';
import { isDelivery, type Plan, type Repeat, type Step } from '../model/plan.ts';
import { findProvider } from '../providers/list.ts';
import { retryPlanOf } from '../providers/retry-plan.ts';

const FIRST_MS = 50;
const LONGEST_MS = 1000;
const MOST_RETRIES = 8;
const MANUAL_REDELIVERY_MS = 250;

/**
 * Before anything is judged, a refused delivery is tried again as the provider would, in less time: a receiver may rightly
 * answer 5xx to an update whose parent has not come yet, and be right after the retry.
 */
export function withRetries(plan: Plan, providerOf: (event: string) => string): Plan {
  const repeats = new Map<string, Repeat>();
  const repeatFor = (event: string) => {
    const provider = providerOf(event);
    const known = repeats.get(provider) ?? compressedRetries(provider);
    repeats.set(provider, known);
    return known;
  };
  return {
    ...plan,
    steps: plan.steps.map((step) =>
      isDelivery(step) && step.delivery.repeat.kind === 'once'
        ? { ...step, delivery: { ...step.delivery, repeat: repeatFor(step.delivery.event) } }
        : step,
    ),
  };
}

function compressedRetries(provider: string): Repeat {
  const { delaysMs, automatic, assumed } = retryPlanOf(findProvider(provider));
  const retries = automatic ? Math.min(MOST_RETRIES, delaysMs.length) : 0;
  const compressed = Array.from({ length: retries }, (_, index) => Math.min(LONGEST_MS, FIRST_MS * 2 ** index));
  return {
    kind: 'until-2xx',
    delaysMs: automatic ? compressed : [MANUAL_REDELIVERY_MS],
    assumed: assumed.includes('delays'),
  };
}

/** The same events once each, strictly in order: what every plan is compared with. */
export function planInOrder(plan: Pick<Plan, 'seed' | 'concurrency'>, events: readonly WebhookEvent[]): Plan {
  const steps = events.map(
    ({ id }, index): Step => ({
      id: `s${index + 1}`,
      start:
        index === 0 ? { kind: 'at', atMs: 0 } : { kind: 'after', step: `s${index}`, moment: 'answered', delayMs: 0 },
      delivery: { event: id, copy: 1, as: 'same', repeat: { kind: 'once' } },
    }),
  );
  const { seed, concurrency } = plan;
  return { pattern: 'once', seed, concurrency, reorders: false, steps };
}
