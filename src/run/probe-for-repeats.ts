import type { Stretch } from '../judge/evidence.ts';
import { judgeRepeat } from '../judge/judge-repeat.ts';
import type { Attempt } from '../model/attempt.ts';
import type { Plan } from '../model/plan.ts';
import type { Trial } from '../model/run.ts';
import type { Courier } from './courier.ts';
import type { RoundIdentity } from './deliver-round.ts';
import type { RunRequest } from './ports.ts';
import { observeStretch } from './stretch.ts';
import { emptyTrial } from './trial.ts';

type Probing = {
  readonly plan: Plan;
  readonly identity: RoundIdentity;
  readonly payloads: readonly string[];
};

/** Does a retry of what was answered 5xx repeat what was done already? Delivers once without retries; only when that was answered 5xx, the retries follow behind a settle of their own. */
export async function probeForRepeats(
  { plan, identity, payloads }: Probing,
  courier: Courier,
  request: RunRequest,
): Promise<Trial | undefined> {
  const once = {
    ...plan,
    steps: plan.steps.map((step) => ({ ...step, delivery: { ...step.delivery, repeat: { kind: 'once' as const } } })),
  };
  const settle = { quietMs: request.settleMs, maxMs: request.settleMaxMs, firstMs: 0 };
  const first = await observeStretch(
    { rounds: [{ plan: once, identities: [identity] }], settle: { ...settle, firstMs: request.settleFirstMs } },
    courier,
    request,
  );
  const isServerError = ({ outcome }: Attempt) => outcome.kind === 'response' && outcome.status >= 500;
  if (!first.stretch.attempts.some(isServerError) || first.stretch.effects.length === 0) return undefined;
  const second = await observeStretch({ rounds: [{ plan, identities: [identity] }], settle }, courier, request);
  return repeatTrial(first.stretch, second.stretch, payloads);
}

function repeatTrial(first: Stretch, second: Stretch, payloads: readonly string[]): Trial | undefined {
  const findings = judgeRepeat(first, second, payloads);
  if (findings.length === 0) return undefined;
  return {
    ...emptyTrial('fail'),
    id: 'retry.after-error',
    title: 'An event that was answered 5xx, and which is delivered again, has one effect',
    rounds: 1,
    hits: 1,
    findings,
  };
}
