import type { Attempt } from '../model/attempt.ts';
import type { Finding } from '../model/finding.ts';
import type { Verdict } from '../model/verdict.ts';
import { plural } from '../support/plural.ts';
import { isJudged, withoutAside } from './aside.ts';
import type { Broken, Case } from './checks/check.ts';
import { CHECKS } from './checks.ts';
import { type Compared, compare, type Seen } from './compare.ts';
import type { Difference } from './difference.ts';
import type { Evidence, Stretch } from './evidence.ts';
import { ignoreFor } from './ignore-for.ts';
import { isBusiness, ledgerTables } from './ledger.ts';
import { learnNoise } from './noise.ts';
import { type NormalEffect, normaliseAll } from './normal-form.ts';
import { type PayloadFacts, payloadFacts } from './payload-facts.ts';
import { haveSameGrowth, haveSameStructure, structuralDifferences } from './structure.ts';
import { mayHaveArrived, trailOf, unanswered, unreachedRounds } from './trail.ts';

export type Judgement = {
  readonly verdict: Verdict;
  readonly findings: readonly Finding[];
  /** Rounds in which a check broke. */
  readonly hits: number;
  readonly notes: readonly string[];
  /** Why it could not tell, when it could not. */
  readonly reason?: string | undefined;
};

/** Compares what the plan did with what its events do when delivered once each, in order. */
export function judge({ aside = [], ...whole }: Evidence): Judgement {
  const { baselines, payloads } = whole;
  const facts = payloadFacts(payloads);
  const [first = [], second = [], ...rest] = normaliseAll([...baselines, ...whole.trial], facts);
  const trial = whole.trial.map((stretch) => withoutAside(stretch, aside));
  const evidence = { ...whole, trial };
  const distrust = whyNoBaseline(evidence, first, second);
  if (distrust !== undefined) return inconclusive(distrust);
  const noise = learnNoise(first, second);
  const seen = trial.map(
    (stretch, index): Seen => ({
      actual: (rest[index] ?? []).filter((row) => isJudged(row, aside)),
      mayBeOthers: aside.length > 0,
      rounds: stretch.rounds.map(({ round }) => round),
      unreached: unreachedRounds(stretch),
      quiet: stretch.quiet,
    }),
  );
  const compared = compare(second, seen, noise);
  const subject = caseOf(evidence, { compared, seen, facts, baselines: [first, second] });
  const broken = CHECKS.flatMap((check) => check.find(subject));
  const notes = CHECKS.flatMap((check) => check.notes?.(subject) ?? []);
  return { ...conclude(broken, evidence, compared), notes };
}

/** True when two baselines show the same changes in the same places and the same growth, so that a third is not needed. */
export function agree(a: Stretch, b: Stretch, payloads: readonly string[]): boolean {
  const [first = [], second = []] = normaliseAll([a, b], payloadFacts(payloads));
  return haveSameStructure(first, second) && haveSameGrowth(first, second);
}

/**
 * Where two baselines did not change the same places as often, for people: `orders: 1 added, then 2`. When there is nothing
 * to name they can be compared, even if they do not agree in everything.
 */
export function disagreements(a: Stretch, b: Stretch, payloads: readonly string[]): readonly string[] {
  const [first = [], second = []] = normaliseAll([a, b], payloadFacts(payloads));
  return structuralDifferences(first, second);
}

/** A comparison with nothing, or with something that moves by itself, would be a verdict that nobody earned. */
function whyNoBaseline(
  { baselines }: Evidence,
  first: readonly NormalEffect[],
  second: readonly NormalEffect[],
): string | undefined {
  const differences = structuralDifferences(first, second);
  if (differences.length > 0) {
    return `The same events, delivered once each, did not have the same effects twice (${differences.join('; ')}). Raise --settle for slow effects, or --ignore what changes by itself.`;
  }
  if (second.length === 0) return 'The baseline showed no effect: a probe that sees nothing proves nothing.';
  if (!baselines.every(({ quiet }) => quiet))
    return 'The effects of the baseline did not come to rest in time (--settle-max).';
  return undefined;
}

type Judging = {
  readonly compared: Compared;
  readonly seen: readonly Seen[];
  readonly facts: PayloadFacts;
  readonly baselines: ReadonlyArray<readonly NormalEffect[]>;
};

function caseOf({ plan, baselines, trial }: Evidence, { compared, seen, facts, baselines: normal }: Judging): Case {
  const trail = trailOf(trial);
  const isLedger = ledgerTables(
    normal.map((rows, index) => ({ rows, events: baselines[index]?.rounds[0]?.events ?? [] })),
  );
  const inLedger = new Set(seen.flatMap(({ actual }) => actual.filter(isLedger).flatMap(({ rounds }) => rounds)));
  const effects = [...baselines, ...trial].flatMap((stretch) => stretch.effects);
  return {
    plan,
    trail,
    differences: compared.differences,
    hasRepeats: hasRepeats(trial),
    isBookkeeping: (difference) => isLedger(difference.row) && !touchesBusiness(difference, facts),
    ledgerKnows: (round) => inLedger.has(round),
    ignoreFor: ignoreFor(effects),
  };
}

function touchesBusiness(difference: Difference, facts: PayloadFacts): boolean {
  if (difference.kind === 'other-row')
    return difference.columns.some(({ column, expected }) => isBusiness(column, expected, facts));
  return (
    difference.kind === 'other-value' &&
    difference.expected.some((value) => isBusiness(difference.column, value, facts))
  );
}

function hasRepeats(trial: readonly Stretch[]): boolean {
  return trial.some(({ attempts }) => {
    const arrived = attempts.filter(mayHaveArrived).map(({ round, event }) => `${round}|${event}`);
    return new Set(arrived).size < arrived.length;
  });
}

function conclude(broken: readonly Broken[], evidence: Evidence, { unproven }: Compared): Omit<Judgement, 'notes'> {
  const findings = broken.map(({ finding }) => finding);
  if (findings.length > 0) return { verdict: 'fail', findings, hits: hitsOf(broken) };
  const reason = whyUnsure(evidence, unproven);
  return { verdict: reason === undefined ? 'pass' : 'inconclusive', findings, hits: 0, reason };
}

function hitsOf(broken: readonly Broken[]): number {
  const named = new Set(broken.flatMap(({ rounds }) => rounds));
  return Math.max(named.size, ...broken.map(({ hits }) => hits));
}

function whyUnsure({ trial, plan }: Evidence, unproven: number): string | undefined {
  const rounds = trial.flatMap((stretch) => stretch.rounds);
  if (rounds.length === 0) return 'Nothing was delivered, so nothing was judged.';
  const unreached = trial.flatMap((stretch) => [...unreachedRounds(stretch)]);
  if (unreached.length > 0) {
    const [attempt] = trial.flatMap(({ attempts }) => attempts.filter((each) => !mayHaveArrived(each)));
    return `In ${unreached.length} of ${rounds.length} rounds a delivery did not reach the receiver${whyNone(attempt)}.`;
  }
  const silent = trial.flatMap((stretch) => unanswered(stretch, plan));
  if (silent.length > 0) {
    const which = `${plural(silent.length, 'delivery')} of the pattern`;
    return `${which} got no answer, not even at the last attempt${whyNone(silent[0])}.`;
  }
  if (trial.every(({ quiet }) => quiet)) return undefined;
  const short = unproven === 0 ? '' : `; ${unproven} ${unproven === 1 ? 'was' : 'were'} not yet as expected`;
  const names = [...new Set(trial.flatMap(({ restless = [] }) => restless))].map((name) => `"${name}"`);
  const which = names.length === 0 ? '' : `: ${names.join(' and ')} went on changing`;
  return `The effects did not come to rest in time (--settle-max)${which}${short}.`;
}

function whyNone(attempt: Attempt | undefined): string {
  const outcome = attempt?.outcome;
  return outcome?.kind === 'no-response' ? ` (${outcome.reason}: ${outcome.detail})` : '';
}

function inconclusive(reason: string): Judgement {
  return { verdict: 'inconclusive', findings: [], hits: 0, notes: [], reason };
}
