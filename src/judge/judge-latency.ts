import type { Attempt } from '../model/attempt.ts';
import type { Finding } from '../model/finding.ts';
import { plural } from '../support/plural.ts';
import { attemptLines } from './describe.ts';

export type LatencyJudgement = { readonly findings: readonly Finding[]; readonly warnings: readonly string[] };

type Limits = { readonly budgetMs: number; readonly warnMs: number };

const HINT =
  'Behind this the provider hangs up and delivers again, although the work may be done. Verify, store, answer, and work later; do not hold one lock for all.';

/** Counted from the planned time: waiting for a connection is waiting, too. */
export function judgeLatency(attempts: readonly Attempt[], { budgetMs, warnMs }: Limits): LatencyJudgement {
  const first = attempts.filter(({ attempt }) => attempt === 1);
  const late = first.filter((attempt) => latencyOf(attempt) > budgetMs || isTimeout(attempt));
  const sorted = first.map(latencyOf).sort((a, b) => a - b);
  const slow = sorted[Math.floor(sorted.length * 0.95)] ?? 0;
  const summary = `95 % of ${plural(first.length, 'answer')} within ${Math.round(slow)} ms`;
  if (late.length === 0)
    return {
      findings: [],
      warnings: slow > warnMs ? [`${summary}; more than ${warnMs} ms is slow for an acknowledgement.`] : [],
    };
  const finding: Finding = {
    check: 'answers-in-time',
    title: `${late.length} of ${first.length} deliveries were not answered within ${budgetMs / 1000} s`,
    expected: `an answer within ${budgetMs / 1000} s, as long as the provider waits`,
    actual: summary,
    evidence: attemptLines(late.toSorted((a, b) => latencyOf(b) - latencyOf(a))),
    hint: HINT,
  };
  return { findings: [finding], warnings: [] };
}

function latencyOf({ times }: Attempt): number {
  return times.doneMs - times.plannedMs;
}

function isTimeout({ outcome }: Attempt): boolean {
  return outcome.kind === 'no-response' && outcome.reason === 'timeout';
}
