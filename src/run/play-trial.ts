import type { Attempt } from '../model/attempt.ts';
import type { Execution } from '../model/execution.ts';
import type { Plan } from '../model/plan.ts';
import type { Trial } from '../model/run.ts';
import type { Act, TrialDefinition } from '../suite/trial-definition.ts';
import type { BaselineBook, Prepared } from './baseline-book.ts';
import type { Courier } from './courier.ts';
import { deliverRound, type RoundRequest } from './deliver-round.ts';
import { doubtsOf, scheduleErrorOf, spreadOf } from './doubts.ts';
import type { FirstContact } from './first-contact.ts';
import { type ActJudgement, judgeAct } from './judge-act.ts';
import { judgePatiently } from './judge-patiently.ts';
import { concludeActs, judgeContact, NO_FAILURE } from './judge-trial.ts';
import type { TestRequest } from './ports.ts';
import { withRetries } from './retries.ts';
import { type Observed, observeStretch } from './stretch.ts';
import { emptyTrial, NOTHING_OBSERVED } from './trial.ts';
import type { ActEvidence, TrialEvidence } from './trial-evidence.ts';

type Stage = { readonly courier: Courier; readonly request: TestRequest };

/** A trial, and what it was judged by where it was played. */
export type PlayedTrial = { readonly trial: Trial; readonly evidence?: TrialEvidence | undefined };

/** Plays a trial act by act; each act ends when all is quiet. */
export async function playTrial(definition: TrialDefinition, book: BaselineBook, stage: Stage): Promise<PlayedTrial> {
  const { id, title } = definition;
  if (definition.plays === 'first-contact') return firstContactTrial(definition, await book.firstContact());
  const prepared = await book.of(definition.material);
  if (definition.failsWhenDropped && prepared.dropped) {
    return { trial: { ...emptyTrial('fail'), id, title, rounds: 1, hits: 1, findings: [prepared.dropped] } };
  }
  if (prepared.isRefused || (definition.needsEffects && !prepared.baseline)) {
    return { trial: { ...emptyTrial('inconclusive'), id, title, reason: prepared.reason } };
  }
  const { events, latencyMs } = prepared;
  const script = definition.script({ events, latencyMs, timeoutMs: stage.request.timeoutMs });
  const acts: PlayedAct[] = [];
  for (const [index, act] of script.acts.entries()) {
    if (stage.courier.ports.signal.aborted) break;
    acts.push(await playAct({ definition, act, index, rounds: script.rounds, prepared }, stage));
  }
  const executions = acts.flatMap((act) => act.executions);
  const judged = concludeActs(acts.map((act) => act.judged));
  const measured = { spreadMicros: spreadOf(executions), scheduleErrorMs: scheduleErrorOf(executions) };
  return {
    trial: { ...emptyTrial(judged.verdict), id, title, rounds: script.rounds, ...measured, ...judged },
    evidence: { kind: 'acts', acts: acts.map((act) => act.evidence) },
  };
}

function firstContactTrial({ id, title }: TrialDefinition, contact: FirstContact | undefined): PlayedTrial {
  if (!contact) {
    return { trial: { ...emptyTrial('inconclusive'), id, title, reason: NOTHING_OBSERVED } };
  }
  const { evidence } = contact;
  if (!evidence) return { trial: { ...emptyTrial('not-applicable'), id, title, reason: NO_FAILURE } };
  const judged = judgeContact(evidence);
  const rounds = judged.verdict === 'not-applicable' ? 0 : 1;
  return { trial: { ...emptyTrial(judged.verdict), id, title, rounds, ...judged }, evidence };
}

type ActRequest = {
  readonly definition: TrialDefinition;
  readonly act: Act;
  readonly index: number;
  readonly rounds: number;
  readonly prepared: Prepared;
};

type PlayedAct = {
  readonly evidence: ActEvidence;
  readonly judged: ActJudgement;
  readonly executions: readonly Execution[];
};

async function playAct(wanted: ActRequest, stage: Stage): Promise<PlayedAct> {
  const { act, prepared } = wanted;
  const { courier, request } = stage;
  const plan = planOf(wanted, stage);
  const observed = await deliverAct(roundsOf(wanted, plan), prepared, stage);
  const { executions } = observed;
  const { effects, answers, hint, latency } = act;
  const evidence = ([last]: readonly Observed[]): ActEvidence => {
    const { stretch } = last ?? observed;
    return {
      ...{ effects, answers, hint, latency, plan, stretch },
      baselines: prepared.baseline?.stretches,
      payloads: prepared.payloads,
      bodies: bodiesOf(stretch.attempts, courier),
      doubts: doubtsOf({ plan, executions, request, interrupted: courier.ports.signal.aborted }),
    };
  };
  const quietMs = prepared.baseline?.quietMs ?? request.settleMs;
  const judging = { observed: [observed], quietMs, evidence, judge: judgeAct };
  return { ...(await judgePatiently(judging, courier, request)), executions };
}

const BODY_CHARACTERS = 500;

function bodiesOf(attempts: readonly Attempt[], { lastBody }: Courier): ReadonlyMap<number, string> {
  const bodies = attempts.map(({ number }) => [number, lastBody(number).slice(0, BODY_CHARACTERS)] as const);
  return new Map(bodies.filter(([, body]) => body !== ''));
}

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
