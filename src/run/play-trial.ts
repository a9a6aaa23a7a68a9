import type { Attempt } from '../model/attempt.ts';
import type { Execution } from '../model/execution.ts';
import type { Plan, Step } from '../model/plan.ts';
import type { Turn } from '../model/receiver-control.ts';
import type { Trial } from '../model/run.ts';
import { whyMoved } from '../suite/boundaries.ts';
import type { Act, Script, TrialDefinition } from '../suite/trial-definition.ts';
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
  if (definition.plays === 'first-contact') {
    const contact = firstContactTrial(definition, await book.firstContact());
    if (contact.trial.verdict === 'fail' || !stage.request.hasInterception) return contact;
  }
  const prepared = await book.of(definition.material);
  if (definition.failsWhenDropped && prepared.dropped) {
    return { trial: { ...emptyTrial('fail'), id, title, rounds: 1, hits: 1, findings: [prepared.dropped] } };
  }
  if (prepared.isRefused || (definition.needsEffects && !prepared.baseline)) {
    return inconclusive(definition, prepared.reason);
  }
  const counted = definition.needsTurns && stage.request.hasInterception ? await book.turns() : undefined;
  if (counted?.kind === 'unknown') return inconclusive(definition, counted.reason);
  return playScript({ definition, prepared, turns: counted?.turns }, stage);
}

async function playScript(trial: TrialRequest, stage: Stage): Promise<PlayedTrial> {
  const { definition, prepared, turns } = trial;
  const { events, latencyMs, lateMs } = prepared;
  const { timeoutMs } = stage.request;
  const script = definition.script({ events, latencyMs, lateMs, timeoutMs, turns });
  const chosen = chooseActs(script, stage.request);
  if (chosen.length === 0) return inconclusive(definition, noSuchBoundary(script));
  const { rounds } = script;
  const acts: PlayedAct[] = [];
  for (const [index, act] of chosen.entries()) {
    const { signal, receiver } = stage.courier.ports;
    if (signal.aborted) break;
    acts.push(await playAct({ ...trial, act, index, rounds }, stage));
    if (receiver?.death()) await receiver.restart();
  }
  const executions = acts.flatMap((act) => act.executions);
  const judged = concludeActs(acts.map((act) => act.judged));
  const measured = { spreadMicros: spreadOf(executions), scheduleErrorMs: scheduleErrorOf(executions) };
  const { id, title } = definition;
  const tried = triedText(script, acts);
  return {
    trial: { ...emptyTrial(judged.verdict), id, title, rounds, tried, ...measured, ...judged },
    evidence: { kind: 'acts', acts: acts.map((act) => act.evidence) },
  };
}

function inconclusive({ id, title }: TrialDefinition, reason: string | undefined): PlayedTrial {
  return { trial: { ...emptyTrial('inconclusive'), id, title, reason } };
}

/** With `--crash-at` only those acts of a trial that it names. */
function chooseActs({ acts }: Script, { crashAt }: TestRequest): readonly Act[] {
  return acts.filter(({ only }) => crashAt.length === 0 || only === undefined || crashAt.includes(only[1] ?? ''));
}

function noSuchBoundary({ acts }: Script): string {
  const codes = acts.flatMap(({ only }) => only?.[1] ?? []);
  return codes.length === 0
    ? 'There is nothing to play.'
    : `There is no such boundary (--crash-at); there are: ${codes.join(', ')}.`;
}

/** How much of what could be tried was tried. */
function triedText({ acts, tries }: Script, played: readonly PlayedAct[]): string | undefined {
  if (tries === undefined || acts.length === 1) return tries;
  const tried = played.filter(({ missed }) => !missed).length;
  return `${tries}, ${tried === acts.length ? 'each tried' : `${tried} of them tried`}`;
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

type TrialRequest = {
  readonly definition: TrialDefinition;
  readonly prepared: Prepared;
  /** What the receiver was heard to say in the baseline. */
  readonly turns: readonly Turn[] | undefined;
};

type ActRequest = TrialRequest & {
  readonly act: Act;
  readonly index: number;
  readonly rounds: number;
};

type PlayedAct = {
  readonly evidence: ActEvidence;
  readonly judged: ActJudgement;
  readonly executions: readonly Execution[];
  /** It did not come to what was planned. */
  readonly missed: boolean;
};

async function playAct(wanted: ActRequest, stage: Stage): Promise<PlayedAct> {
  const { act, prepared, definition } = wanted;
  const { courier, request } = stage;
  const { listen, receiver, signal } = courier.ports;
  if (act.only) listen({ kind: 'phase', phase: definition.id, text: `${definition.id}: ${act.name}`, deliveries: 0 });
  const plan = planOf(wanted, stage);
  const references = await deliverReferences(wanted, stage);
  const rounds = roundsOf(wanted, stage);
  const observed = await deliverAct(rounds, prepared, stage);
  const { executions } = observed;
  const { effects, answers, hint, latency, name, only } = act;
  const death = receiver?.death();
  const moved = movedIn(observed, wanted.turns);
  const evidence = ([last]: readonly Observed[]): ActEvidence => {
    const { stretch } = last ?? observed;
    return {
      ...{ effects, answers, hint, latency, name, only, plan, stretch, death },
      references,
      aside: asideOf(act, rounds),
      baselines: prepared.baseline?.stretches,
      payloads: prepared.payloads,
      bodies: bodiesOf(stretch.attempts, courier),
      doubts: [...moved, ...doubtsOf({ plan, executions, request, interrupted: signal.aborted })],
    };
  };
  const quietMs = prepared.baseline?.quietMs ?? request.settleMs;
  const judging = { observed: [observed], quietMs, evidence, judge: judgeAct };
  return { ...(await judgePatiently(judging, courier, request)), executions, missed: moved.length > 0 };
}

/** What the act is to be compared with, beside the baseline. */
async function deliverReferences(wanted: ActRequest, stage: Stage): Promise<ActEvidence['references']> {
  const { references } = wanted.act;
  if (!references) return undefined;
  const stretchOf = async (name: string, steps: readonly Step[]) => {
    const act = { ...wanted.act, identities: [name], steps } as const;
    return (await deliverAct(roundsOf({ ...wanted, act }, stage), wanted.prepared, stage)).stretch;
  };
  const [before, withoutLast] = references;
  return [await stretchOf('before', before), await stretchOf('without-last', withoutLast)];
}

/** Their rounds, by name. */
function asideOf({ aside }: Act, rounds: readonly RoundRequest[]): readonly string[] | undefined {
  if (!aside) return undefined;
  const identities = rounds.flatMap((round) => round.identities);
  return identities.filter(({ name }) => name !== undefined && aside.includes(name)).map(({ round }) => round);
}

/** Why a fault did not strike where it was to. */
function movedIn({ strikes }: Observed, counted: readonly Turn[] = []): readonly string[] {
  return strikes.flatMap(({ step: { control }, strike: { struck, turns } }) =>
    control.kind === 'fault' ? (whyMoved(control.fault, { struck, seen: turns, counted }) ?? []) : [],
  );
}

const BODY_CHARACTERS = 500;

function bodiesOf(attempts: readonly Attempt[], { lastBody }: Courier): ReadonlyMap<number, string> {
  const bodies = attempts.map(({ number }) => [number, lastBody(number).slice(0, BODY_CHARACTERS)] as const);
  return new Map(bodies.filter(([, body]) => body !== ''));
}

/** What must be taken is retried as the provider would; what must be refused is sent once. */
function planOf({ definition, act }: ActRequest, { request, courier }: Stage, steps = act.steps): Plan {
  const { seed, concurrency } = request;
  const plan: Plan = { pattern: definition.id, seed, concurrency, reorders: act.reorders, steps };
  return act.effects !== 'nothing' && act.answers === 'taken'
    ? withRetries(plan, (event) => courier.event(event).provider)
    : plan;
}

/** The same names mean the same identities in every act of a trial: what was forged first is delivered right later. */
function roundsOf(wanted: ActRequest, stage: Stage): readonly RoundRequest[] {
  const { definition, act, index, rounds, prepared } = wanted;
  const identityOf = (round: number, name: string) => {
    const identity = prepared.family.identity(`${definition.id}.${round}.${name}`);
    return { ...identity, name, round: `${identity.round}.act-${index + 1}` };
  };
  return Array.from({ length: rounds }, (_, round) => {
    const [first, ...rest] = act.identities;
    const plan = planOf(wanted, stage, act.stepsOfRounds?.[round]);
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
    strikes: delivered.flatMap(({ strikes }) => strikes),
    slowestMs: 0,
    moved: new Set(),
  };
}
