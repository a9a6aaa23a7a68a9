import type { Finding } from '../model/finding.ts';
import type { Verdict } from '../model/verdict.ts';
import type { Broken, Case } from './checks/check.ts';
import { CHECKS } from './checks.ts';
import { compare } from './compare.ts';
import type { Evidence, Stretch } from './evidence.ts';
import { ledgerTables } from './ledger.ts';
import { haveSameStructure, learnNoise } from './noise.ts';
import { normalise } from './normal-form.ts';

export type Judgement = {
  readonly verdict: Verdict;
  readonly findings: readonly Finding[];
  readonly hits: number;
  readonly notes: readonly string[];
  /** Why it could not tell, when it could not. */
  readonly reason?: string | undefined;
};

/** Compares what the plan did with what its events do when delivered once each, in order. */
export function judge(evidence: Evidence): Judgement {
  const { baselines, trial, payloads } = evidence;
  const [first, second] = [normalise(baselines[0], payloads), normalise(baselines[1], payloads)];
  if (!haveSameStructure(first, second)) {
    return {
      verdict: 'inconclusive',
      findings: [],
      hits: 0,
      notes: [],
      reason: 'The same events, delivered once each, did not have the same effects twice.',
    };
  }
  const noise = learnNoise(first, second);
  const isLedger = ledgerTables(baselines);
  const cases = trial.map((stretch): Case => {
    const actual = normalise(stretch, payloads);
    const rounds = stretch.rounds.map(({ round }) => round);
    return { evidence, stretch, isLedger, differences: compare({ expected: second, actual, rounds, noise }) };
  });
  const broken = cases.flatMap((subject) => CHECKS.flatMap((check) => check.find(subject)));
  const notes = new Set(cases.flatMap((subject) => CHECKS.flatMap((check) => check.notes?.(subject) ?? [])));
  return conclude(broken, [...notes], trial);
}

function conclude(broken: readonly Broken[], notes: readonly string[], trial: readonly Stretch[]): Judgement {
  const findings = withoutRepeats(broken);
  if (findings.length > 0) {
    return { verdict: 'fail', findings, hits: Math.max(...broken.map(({ hits }) => hits)), notes };
  }
  if (trial.every(({ quiet }) => quiet)) return { verdict: 'pass', findings, hits: 0, notes };
  return {
    verdict: 'inconclusive',
    findings,
    hits: 0,
    notes,
    reason: 'The effects did not come to rest in time (--settle-max).',
  };
}

/** Many rounds show one fault many times; the first of each kind speaks for all. */
function withoutRepeats(broken: readonly Broken[]): readonly Finding[] {
  const kept = new Map<string, Finding>();
  for (const { hits: _, ...finding } of broken) {
    const key = `${finding.check}|${finding.effect}|${finding.title.replace(/-?\d+(\.\d+)?/g, '#')}`;
    if (!kept.has(key)) kept.set(key, finding);
  }
  return [...kept.values()];
}

/** True when two baselines show the same changes in the same places, so that a third is not needed. */
export function agree(a: Stretch, b: Stretch, payloads: readonly string[]): boolean {
  return haveSameStructure(normalise(a, payloads), normalise(b, payloads));
}
