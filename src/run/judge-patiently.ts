import type { Evidence } from '../judge/evidence.ts';
import { type Judgement, judge } from '../judge/judge.ts';
import type { Execution } from '../model/execution.ts';
import type { Plan } from '../model/plan.ts';
import type { KnownBaseline } from './baseline.ts';
import type { Courier } from './courier.ts';
import type { RunRequest } from './ports.ts';
import { type Observed, waitLonger } from './stretch.ts';

export type Judged = { readonly judgement: Judgement; readonly executions: readonly Execution[] };

type Judging = {
  readonly observed: readonly Observed[];
  readonly plan: Plan;
  readonly baseline: KnownBaseline;
  readonly payloads: readonly string[];
};

/** Effects that seem lost get a second, longer wait before anybody is accused. */
export async function judgePatiently(
  { observed, plan, baseline, payloads }: Judging,
  courier: Courier,
  request: RunRequest,
): Promise<Judged> {
  const executions = observed.flatMap((each) => each.executions);
  const evidence = (all: readonly Observed[]): Evidence => ({
    plan,
    baselines: baseline.stretches,
    trial: all.map(({ stretch }) => stretch),
    payloads,
  });
  const judgement = judge(evidence(observed));
  const last = observed.at(-1);
  const mayBeLate = judgement.findings.some(({ check }) => check === 'no-lost-effect' || check === 'newest-wins');
  if (!mayBeLate || !last || courier.ports.signal.aborted) return { judgement, executions };
  courier.ports.listen({ kind: 'waiting', text: 'Effects are missing; waiting longer in case they are only late.' });
  const settle = { quietMs: 2 * baseline.quietMs, maxMs: request.settleMaxMs, firstMs: 0 };
  const later = await waitLonger(last, settle, { courier, request });
  return { judgement: judge(evidence([...observed.slice(0, -1), later])), executions };
}
