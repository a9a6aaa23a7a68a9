import type { Evidence } from '../judge/evidence.ts';
import { type Judgement, judge } from '../judge/judge.ts';
import type { Execution } from '../model/execution.ts';
import type { Plan } from '../model/plan.ts';
import type { ObservedSource, Trial } from '../model/run.ts';
import { messageOf, ProbeError } from '../support/errors.ts';
import { type Baseline, takeBaseline } from './baseline.ts';
import { capturedIdentity, type RoundIdentity } from './deliver-round.ts';
import { doubtsOf, isRace, ROUNDS_FOR_A_RACE, scheduleErrorOf, spreadOf } from './doubts.ts';
import { planInOrder, withRetries } from './retries.ts';
import { type Observed, observeStretch, waitLonger } from './stretch.ts';
import { emptyTrial, type JudgedTrial, type TrialRequest } from './trial.ts';
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
      return { trial: await withoutBaseline(baseline, wanted), sources: sourcesOf(wanted, undefined) };
    const observed = await runRounds(wanted, baseline.quietMs);
    const judged = await judgePatiently({ observed, baseline, payloads }, wanted);
    return { trial: trialOf(judged, wanted), sources: sourcesOf(wanted, baseline) };
  } catch (error) {
    if (!(error instanceof ProbeError) || courier.attempts() === 0) throw error;
    return {
      trial: inconclusive(`A source could not be read any more: ${messageOf(error)}`),
      sources: sourcesOf(wanted, undefined),
    };
  }
}

type Known = Extract<Baseline, { kind: 'known' }>;

function identityOf({ family, request }: TrialRequest): (round: string) => RoundIdentity {
  return request.identities === 'captured' ? capturedIdentity : family.identity;
}

/** With `--reset` every round starts from a clean state and settles by itself; else fresh ids tell the rounds apart and they share one settle. */
async function runRounds(wanted: TrialRequest, quietMs: number): Promise<readonly Observed[]> {
  const { request, courier, plan } = wanted;
  const rounds = roundsOf(wanted);
  courier.ports.listen({
    kind: 'phase',
    phase: 'trial',
    text: trialText(plan, rounds),
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

function roundsOf({ request, plan }: TrialRequest): number {
  if (request.rounds !== undefined) return request.rounds;
  return isRace(plan) && request.identities === 'fresh' ? ROUNDS_FOR_A_RACE : 1;
}

function trialText(plan: Plan, rounds: number): string {
  return `Pattern ${plan.pattern}${rounds > 1 ? `, ${rounds} rounds with ids of their own` : ''}`;
}

type Judged = { readonly judgement: Judgement; readonly executions: readonly Execution[] };
type Judging = {
  readonly observed: readonly Observed[];
  readonly baseline: Known;
  readonly payloads: readonly string[];
};

/** Effects that seem lost get a second, longer wait before anybody is accused. */
async function judgePatiently({ observed, baseline, payloads }: Judging, wanted: TrialRequest): Promise<Judged> {
  const { request, courier } = wanted;
  const executions = observed.flatMap((each) => each.executions);
  const evidence = (all: readonly Observed[]): Evidence => ({
    plan: wanted.plan,
    baselines: baseline.stretches,
    trial: all.map(({ stretch }) => stretch),
    payloads,
  });
  const judgement = judge(evidence(observed));
  const last = observed.at(-1);
  const mayBeLate = judgement.findings.some(({ check }) => check === 'no-lost-effect');
  if (!mayBeLate || !last || courier.ports.signal.aborted) return { judgement, executions };
  courier.ports.listen({ kind: 'waiting', text: 'Effects are missing; waiting longer in case they are only late.' });
  const settle = { quietMs: 2 * baseline.quietMs, maxMs: request.settleMaxMs, firstMs: 0 };
  const later = await waitLonger(last, settle, { courier, request });
  return { judgement: judge(evidence([...observed.slice(0, -1), later])), executions };
}

function trialOf({ judgement, executions }: Judged, { plan, request, courier }: TrialRequest): Trial {
  const doubts = doubtsOf({ plan, executions, request, interrupted: courier.ports.signal.aborted });
  const passed = judgement.verdict === 'pass' && doubts.length > 0 ? 'inconclusive' : judgement.verdict;
  return {
    ...emptyTrial(passed),
    reason: judgement.verdict === 'fail' ? undefined : (judgement.reason ?? doubts[0]),
    rounds: executions.length,
    hits: judgement.hits,
    spreadMicros: spreadOf(executions),
    scheduleErrorMs: scheduleErrorOf(executions),
    warnings: judgement.verdict === 'fail' ? doubts : doubts.slice(1),
    notes: judgement.notes,
    findings: judgement.findings,
  };
}

async function withoutBaseline(baseline: Exclude<Baseline, Known>, wanted: TrialRequest): Promise<Trial> {
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

function sourcesOf({ courier }: TrialRequest, baseline: Known | undefined): readonly ObservedSource[] {
  return (courier.ports.observer?.sources ?? []).map(({ name, source }) => {
    const effects = baseline?.stretches[1].effects.filter(({ effect }) => effect === name) ?? [];
    const count = (kind: string) => effects.filter((effect) => effect.kind === kind).length;
    return {
      id: name,
      source,
      baseline: { added: count('added'), changed: count('changed'), removed: count('removed') },
    };
  });
}

function inconclusive(reason: string): Trial {
  return { ...emptyTrial('inconclusive'), reason };
}
