import type { WebhookEvent } from '../model/event.ts';
import type { Plan } from '../model/plan.ts';
import { findProvider } from '../providers/list.ts';
import type { Provider } from '../providers/provider.ts';
import { retryPlanOf } from '../providers/retry-plan.ts';
import { formatDuration } from '../support/duration.ts';

/** What the plan's retries take for granted of their providers, a sentence each. */
export function assumptionsOf(
  { pattern }: Pick<Plan, 'pattern'>,
  events: readonly Pick<WebhookEvent, 'provider'>[],
): readonly string[] {
  const usesDelays = pattern.split('+').some((part) => /^(retry|burst)\b/.test(part));
  if (!usesDelays) return [];
  const providers = [...new Set(events.map(({ provider }) => provider))].map(findProvider);
  return providers.flatMap(assumptionOf);
}

function assumptionOf(provider: Provider): readonly string[] {
  const { automatic, assumed, delaysMs } = retryPlanOf(provider);
  const name = provider.docsUrl === '' ? provider.id : provider.name;
  if (!automatic) return [`${name} never retries by itself: the retries stand for people who redeliver by hand.`];
  if (!assumed.includes('delays')) return [];
  return [`${name} does not publish its retry delays; assumed: ${delaysMs.map(formatDuration).join(', ')}.`];
}
