import type { Execution } from '../model/execution.ts';
import type { Plan } from '../model/plan.ts';
import type { Trial } from '../model/run.ts';
import { messageOf, ProbeError } from '../support/errors.ts';
import { type Baseline, type KnownBaseline, takeBaseline } from './baseline.ts';
import { capturedIdentity, type RoundIdentity } from './deliver-round.ts';
import { doubtsOf, scheduleErrorOf, spreadOf } from './doubts.ts';
import { judgePatiently } from './judge-patiently.ts';
import { judgeEffectsTrial } from './judge-trial.ts';
import { observedSources } from './observed-sources.ts';
import { planInOrder, withRetries } from './retries.ts';
import { roundsOf } from './rounds.ts';
import { type Observed, observeStretch } from './stretch.ts';
import { emptyTrial, type JudgedTrial, type TrialRequest } from './trial.ts';
import type { EffectsEvidence } from './trial-evidence.ts';
import { explainNoEffect, explainRefusal } from './why-inconclusive.ts';

/** Baseline, pattern, settling, judgement. A source that dies on the way makes the trial inconclusive. */
export async function effectsTrial(wanted: TrialRequest): Promise<JudgedTrial> {
  const { request, courier } = wanted;
  const payloads = request.events.map(({ payload }) => Buffer.from(payload).toString('latin1'));
  const providerOf = (event: string) => courier.event(event).provider;
  try {
    const plan = withRetries(planInOrder(wanted.plan, request.events), providerOf);
    const baseline = await takeBaseline({ plan, identity: identityOf(wanted), payloads }, courier, request);
    if (baseline.kind !== 'known')
      return { trial: await withoutBaseline(baseline, wanted), sources: observedSources(courier, seenIn(baseline)) };
    const observed = await runRounds(wanted, baseline.quietMs);
    const executions = observed.flatMap((each) => each.executions);
    const evidence = (all: readonly Observed[]): EffectsEvidence => ({
      kind: 'effects',
      plan: wanted.plan,
      baselines: baseline.stretches,
      trial: all.map(({ stretch }) => stretch),
      payloads,
      doubts: doubtsOf({ plan: wanted.plan, executions, request, interrupted: courier.ports.signal.aborted }),
    });
    const judging = { observed, quietMs: baseline.quietMs, evidence, judge: judgeEffectsTrial };
    const judged = await judgePatiently(judging, courier, request);
    const trial = { ...emptyTrial(judged.judged.verdict), ...measured(executions), ...judged.judged };
    return { trial, evidence: judged.evidence, sources: observedSources(courier, baseline.stretches[1]) };
  } catch (error) {
    if (!(error instanceof ProbeError) || courier.attempts() === 0) throw error;
    return {
      trial: inconclusive(`A source could not be read any more: ${messageOf(error)}`),
      sources: observedSources(courier, undefined),
    };
  }
}

function identityOf({ family, request }: TrialRequest): (round: string) => RoundIdentity {
  return request.identities === 'captured' ? capturedIdentity : family.identity;
}

/** With `--reset` every round starts from a clean state and settles by itself; else fresh ids tell the rounds apart and they share one settle. */
async function runRounds(wanted: TrialRequest, quietMs: number): Promise<readonly Observed[]> {
  const { request, courier, plan } = wanted;
  const rounds = roundsOf(plan, request, 'by-effects');
  courier.ports.listen({
    kind: 'phase',
    phase: 'trial',
    text: trialText(plan, rounds, request),
    deliveries: plan.steps.length * rounds,
  });
  const identities = Array.from({ length: rounds }, (_, index) => identityOf(wanted)(`round-${index + 1}`));
  const settle = { quietMs, maxMs: request.settleMaxMs, firstMs: 0 };
  const tried = withRetries(plan, (event) => courier.event(event).provider);
  const groups = request.identities === 'captured' ? identities.map((identity) => [identity]) : [identities];
  const observed: Observed[] = [];
  for (const group of groups)
    observed.push(
      await observeStretch(
        { rounds: group.map((identity) => ({ plan: tried, identities: [identity] })), settle },
        courier,
        request,
      ),
    );
  return observed;
}

function trialText({ pattern }: Plan, rounds: number, { identities }: TrialRequest['request']): string {
  if (rounds === 1) return `Pattern ${pattern}`;
  return `Pattern ${pattern}, ${rounds} rounds${identities === 'fresh' ? ' with ids of their own' : ', each after a reset'}`;
}

function measured(executions: readonly Execution[]): Pick<Trial, 'rounds' | 'spreadMicros' | 'scheduleErrorMs'> {
  return {
    rounds: executions.length,
    spreadMicros: spreadOf(executions),
    scheduleErrorMs: scheduleErrorOf(executions),
  };
}

function seenIn(baseline: Exclude<Baseline, KnownBaseline>) {
  return baseline.kind === 'unstable' ? baseline.seen : undefined;
}

async function withoutBaseline(baseline: Exclude<Baseline, KnownBaseline>, wanted: TrialRequest): Promise<Trial> {
  switch (baseline.kind) {
    case 'refused':
      return inconclusive(explainRefusal(baseline.attempts, wanted));
    case 'no-effect':
      return inconclusive(await explainNoEffect(baseline.number, wanted));
    case 'unstable':
      return inconclusive(baseline.reason);
    case 'interrupted':
      return inconclusive('Interrupted before the baseline was known.');
  }
}

function inconclusive(reason: string): Trial {
  return { ...emptyTrial('inconclusive'), reason };
}
