import type { Attempt } from '../model/attempt.ts';
import { isDelivery, type Plan } from '../model/plan.ts';
import type { Courier } from './courier.ts';
import type { RoundIdentity } from './deliver-round.ts';
import type { RunRequest } from './ports.ts';
import { observeStretch } from './stretch.ts';
import type { ContactEvidence } from './trial-evidence.ts';

type Probing = {
  readonly plan: Plan;
  readonly identity: RoundIdentity;
  readonly payloads: readonly string[];
};

/** What the very first delivery showed. */
export type FirstContact = {
  readonly hadEffects: boolean;
  /** Set when the receiver failed by itself, so that a retry could be seen. */
  readonly evidence?: ContactEvidence | undefined;
};

/**
 * Delivers once without retries. Only when that was answered 5xx, the retries follow behind a settle of their own: a baseline
 * that was taken by retrying would have the second effect in it, and call it what should happen.
 */
export async function makeFirstContact(
  { plan, identity, payloads }: Probing,
  courier: Courier,
  request: RunRequest,
): Promise<FirstContact> {
  const settle = { quietMs: request.settleMs, maxMs: request.settleMaxMs, firstMs: 0 };
  const once = {
    rounds: [{ plan: withoutRetries(plan), identities: [identity] as const }],
    settle: { ...settle, firstMs: request.settleFirstMs },
  };
  const first = await observeStretch(once, courier, request);
  const hadEffects = first.stretch.effects.length > 0;
  if (!first.stretch.attempts.some(isServerError)) return { hadEffects };
  const second = await observeStretch({ rounds: [{ plan, identities: [identity] }], settle }, courier, request);
  return {
    hadEffects,
    evidence: { kind: 'first-contact', first: first.stretch, retried: second.stretch, payloads },
  };
}

function withoutRetries(plan: Plan): Plan {
  const steps = plan.steps.map((step) =>
    isDelivery(step) ? { ...step, delivery: { ...step.delivery, repeat: { kind: 'once' as const } } } : step,
  );
  return { ...plan, steps };
}

function isServerError({ outcome }: Attempt): boolean {
  return outcome.kind === 'response' && outcome.status >= 500;
}
