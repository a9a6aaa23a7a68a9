import { judgeActAnswers, noneArrived } from '../judge/judge-act-answers.ts';
import { judgeLatency } from '../judge/judge-latency.ts';
import { judgeNoEffect } from '../judge/judge-no-effect.ts';
import type { Execution } from '../model/execution.ts';
import type { Finding } from '../model/finding.ts';
import type { Plan } from '../model/plan.ts';
import { NOT_OBSERVED, type Trial } from '../model/run.ts';
import { CHANGES } from '../mutate/changes.ts';
import type { Act, TrialDefinition } from '../suite/trial-definition.ts';
import type { BaselineBook, Prepared } from './baseline-book.ts';
import { type Courier, labelOf } from './courier.ts';
import { deliverRound, type RoundRequest } from './deliver-round.ts';
import { doubtsOf, scheduleErrorOf, spreadOf } from './doubts.ts';
import type { FirstContact } from './first-contact.ts';
import { judgePatiently } from './judge-patiently.ts';
import type { TestRequest } from './ports.ts';
import { withRetries } from './retries.ts';
import { type Observed, observeStretch } from './stretch.ts';
import { emptyTrial, NOTHING_OBSERVED } from './trial.ts';

type Stage = { readonly courier: Courier; readonly request: TestRequest };

/** What one act showed. */
type ActResult = {
  readonly findings: readonly Finding[];
  readonly warnings: readonly string[];
  readonly notes: readonly string[];
  /** Why it could not tell. */
  readonly reasons: readonly string[];
  readonly hits: number;
  readonly executions: readonly Execution[];
};

/** Plays a trial act by act; each act ends when all is quiet. */
export async function playTrial(definition: TrialDefinition, book: BaselineBook, stage: Stage): Promise<Trial> {
  const { id, title } = definition;
  if (definition.plays === 'first-contact') return firstContactTrial(definition, await book.firstContact());
  const prepared = await book.of(definition.material);
  if (definition.failsWhenDropped && prepared.dropped) {
    return { ...emptyTrial('fail'), id, title, rounds: 1, hits: 1, findings: [prepared.dropped] };
  }
  if (prepared.isRefused || (definition.needsEffects && !prepared.baseline)) {
    return { ...emptyTrial('inconclusive'), id, title, reason: prepared.reason };
  }
  const { events, latencyMs } = prepared;
  const script = definition.script({ events, latencyMs, timeoutMs: stage.request.timeoutMs });
  const results: ActResult[] = [];
  for (const [index, act] of script.acts.entries()) {
    if (stage.courier.ports.signal.aborted) break;
    results.push(await playAct({ definition, act, index, rounds: script.rounds, prepared }, stage));
  }
  return conclude(definition, script.rounds, results);
}

function firstContactTrial({ id, title }: TrialDefinition, contact: FirstContact | undefined): Trial {
  if (!contact)
    return {
      ...emptyTrial('inconclusive'),
      id,
      title,
      reason: NOTHING_OBSERVED,
    };
  if (contact.repeated.length > 0)
    return { ...emptyTrial('fail'), id, title, rounds: 1, hits: 1, findings: contact.repeated };
  if (contact.hadError && contact.hadEffects) return { ...emptyTrial('pass'), id, title, rounds: 1 };
  return { ...emptyTrial('not-applicable'), id, title, reason: 'The receiver did not fail by itself.' };
}

type ActRequest = {
  readonly definition: TrialDefinition;
  readonly act: Act;
  readonly index: number;
  readonly rounds: number;
  readonly prepared: Prepared;
};

async function playAct(wanted: ActRequest, stage: Stage): Promise<ActResult> {
  const { act, prepared } = wanted;
  const plan = planOf(wanted, stage);
  const rounds = roundsOf(wanted, plan);
  const observed = await deliverAct(rounds, prepared, stage);
  const { attempts } = observed.stretch;
  const unreachable = noneArrived(attempts);
  if (unreachable !== undefined) return { ...NOTHING, reasons: [unreachable], executions: observed.executions };
  const effects = await judgeEffects(observed, { act, plan, prepared }, stage);
  const answers = judgeActAnswers({
    attempts,
    wanted: act.answers,
    hint: act.hint,
    labelOf: (event) => labelOf(stage.courier.event(event)),
    noteOf: (step) => noteOf(plan, step),
    bodyOf: stage.courier.lastBody,
  });
  const latency = act.latency ? judgeLatency(attempts, act.latency) : { findings: [], warnings: [] };
  const knowsAnswers = effects.findings.some(({ check }) => check === 'duplicates-acknowledged');
  const doubts = doubtsOf({
    plan,
    executions: observed.executions,
    request: stage.request,
    interrupted: stage.courier.ports.signal.aborted,
  });
  return {
    findings: [...effects.findings, ...(knowsAnswers ? [] : answers), ...latency.findings],
    warnings: latency.warnings,
    notes: effects.notes,
    reasons: [...effects.reasons, ...doubts],
    hits: effects.hits,
    executions: observed.executions,
  };
}

const NOTHING: ActResult = { findings: [], warnings: [], notes: [], reasons: [], hits: 0, executions: [] };

/** What must be taken is retried as the provider would; what must be refused is sent once. */
function planOf({ definition, act }: ActRequest, { request, courier }: Stage): Plan {
  const { seed, concurrency } = request;
  const plan: Plan = { pattern: definition.id, seed, concurrency, reorders: act.reorders, steps: act.steps };
  return act.effects !== 'nothing' && act.answers === 'taken'
    ? withRetries(plan, (event) => courier.event(event).provider)
    : plan;
}

/** The same names mean the same identities in every act of a trial: what was forged first is delivered right later. */
function roundsOf({ definition, act, index, rounds, prepared }: ActRequest, plan: Plan): readonly RoundRequest[] {
  const identityOf = (round: number, name: string) => {
    const identity = prepared.family.identity(`${definition.id}.${round}.${name}`);
    return { ...identity, name, round: `${identity.round}.act-${index + 1}` };
  };
  return Array.from({ length: rounds }, (_, round) => {
    const [first, ...rest] = act.identities;
    return { plan, identities: [identityOf(round + 1, first), ...rest.map((name) => identityOf(round + 1, name))] };
  });
}

/** Without a source there is nothing to settle. */
async function deliverAct(
  rounds: readonly RoundRequest[],
  prepared: Prepared,
  { courier, request }: Stage,
): Promise<Observed> {
  const settle = { quietMs: prepared.baseline?.quietMs ?? request.settleMs, maxMs: request.settleMaxMs, firstMs: 0 };
  if (prepared.baseline) return observeStretch({ rounds, settle }, courier, request);
  const delivered = [];
  for (const round of rounds) delivered.push(await deliverRound(round, courier));
  const stretch = {
    rounds: delivered.flatMap(({ evidence }) => evidence),
    attempts: delivered.flatMap(({ attempts }) => attempts),
    effects: [],
    quiet: true,
    fromEpochMs: 0,
    toEpochMs: 0,
  };
  return {
    stretch,
    executions: delivered.map(({ execution }) => execution),
    slowestMs: 0,
    moved: new Set(),
  };
}

type Judging = { readonly act: Act; readonly plan: Plan; readonly prepared: Prepared };
type Judged = Pick<ActResult, 'findings' | 'notes' | 'reasons' | 'hits'>;

async function judgeEffects(
  observed: Observed,
  { act, plan, prepared }: Judging,
  { courier, request }: Stage,
): Promise<Judged> {
  const { baseline, payloads } = prepared;
  if (!baseline) return { findings: [], notes: [NOT_OBSERVED], reasons: [], hits: 0 };
  if (act.effects === 'any') return { findings: [], notes: [], reasons: [], hits: 0 };
  if (act.effects === 'nothing') {
    const { stretch } = observed;
    const findings = judgeNoEffect({ stretch, baselines: baseline.stretches, payloads, hint: act.hint });
    return {
      findings,
      notes: [],
      reasons: stretch.quiet ? [] : ['The effects did not come to rest in time (--settle-max).'],
      hits: findings.length > 0 ? 1 : 0,
    };
  }
  const { judgement } = await judgePatiently({ observed: [observed], plan, baseline, payloads }, courier, request);
  const { findings, notes, reason, hits } = judgement;
  return { findings, notes, hits, reasons: reason === undefined ? [] : [reason] };
}

const FORGED: Readonly<Record<string, string>> = {
  missing: 'without its signature',
  'wrong-secret': 'signed with another secret',
  tampered: 'one byte changed after it was signed',
  stale: 'signed with a time of yesterday',
};

function noteOf({ steps }: Plan, id: string): string | undefined {
  const delivery = steps.find((step) => step.id === id)?.delivery;
  if (delivery?.forgery) return FORGED[delivery.forgery];
  return CHANGES.find((change) => change.id === delivery?.change)?.summary;
}

/** Any finding is a fail; any doubt makes a pass inconclusive. */
function conclude({ id, title }: TrialDefinition, rounds: number, results: readonly ActResult[]): Trial {
  const findings = results.flatMap((result) => result.findings);
  const reasons = results.flatMap((result) => result.reasons);
  const executions = results.flatMap((result) => result.executions);
  const verdict = findings.length > 0 ? 'fail' : reasons.length > 0 || results.length === 0 ? 'inconclusive' : 'pass';
  return {
    ...emptyTrial(verdict),
    id,
    title,
    reason: verdict === 'inconclusive' ? (reasons[0] ?? 'It was not played.') : undefined,
    rounds,
    hits: Math.max(0, ...results.map((result) => result.hits)),
    spreadMicros: spreadOf(executions),
    scheduleErrorMs: scheduleErrorOf(executions),
    warnings: [...results.flatMap((result) => result.warnings), ...(verdict === 'fail' ? reasons : reasons.slice(1))],
    notes: [...new Set(results.flatMap((result) => result.notes))],
    findings,
  };
}
