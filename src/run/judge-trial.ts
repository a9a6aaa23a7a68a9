import { judge } from '../judge/judge.ts';
import type { AnswersJudgement } from '../judge/judge-answers.ts';
import { judgeRepeat } from '../judge/judge-repeat.ts';
import { NOT_OBSERVED, type Trial } from '../model/run.ts';
import { type ActJudgement, judgeAct } from './judge-act.ts';
import type { ActsEvidence, ContactEvidence, EffectsEvidence } from './trial-evidence.ts';

/** What judging makes of a trial; the rest was measured. */
export type TrialJudgement = Pick<Trial, 'verdict' | 'reason' | 'hits' | 'warnings' | 'notes' | 'findings'>;

export function judgeEffectsTrial({ doubts, ...evidence }: EffectsEvidence): TrialJudgement {
  const { verdict, reason, hits, notes, findings } = judge(evidence);
  if (verdict === 'fail') return { verdict, hits, notes, findings, warnings: doubts };
  return {
    verdict: verdict === 'pass' && doubts.length > 0 ? 'inconclusive' : verdict,
    reason: reason ?? doubts[0],
    hits,
    notes,
    findings,
    warnings: doubts.slice(1),
  };
}

export function judgeAnswersTrial(
  { verdict, reason, findings }: AnswersJudgement,
  doubts: readonly string[],
): TrialJudgement {
  const [doubt] = doubts;
  return {
    verdict: verdict === 'pass' && doubt !== undefined ? 'inconclusive' : verdict,
    reason: reason ?? doubt,
    hits: 0,
    warnings: [],
    notes: [NOT_OBSERVED],
    findings,
  };
}

/** Any finding is a fail; any doubt makes a pass inconclusive. */
export function judgeActs({ acts }: ActsEvidence): TrialJudgement {
  return concludeActs(acts.map(judgeAct));
}

export function concludeActs(acts: readonly ActJudgement[]): TrialJudgement {
  const findings = acts.flatMap((act) => act.findings);
  const reasons = acts.flatMap((act) => act.reasons);
  const verdict = findings.length > 0 ? 'fail' : reasons.length > 0 || acts.length === 0 ? 'inconclusive' : 'pass';
  return {
    verdict,
    reason: verdict === 'inconclusive' ? (reasons[0] ?? 'It was not played.') : undefined,
    hits: Math.max(0, ...acts.map(({ hits }) => hits)),
    warnings: [...acts.flatMap((act) => act.warnings), ...(verdict === 'fail' ? reasons : reasons.slice(1))],
    notes: [...new Set(acts.flatMap((act) => act.notes))],
    findings,
  };
}

/** Whether a retry repeats what the attempt that was answered 5xx had done. */
export function judgeContact({ first, retried, payloads }: ContactEvidence): TrialJudgement {
  const findings = judgeRepeat(first, retried, payloads);
  const judged = { hits: findings.length > 0 ? 1 : 0, warnings: [], notes: [], findings };
  if (findings.length > 0) return { ...judged, verdict: 'fail' };
  if (first.effects.length > 0) return { ...judged, verdict: 'pass' };
  return { ...judged, verdict: 'not-applicable', reason: NO_FAILURE };
}

export const NO_FAILURE = 'The receiver did not fail by itself.';
