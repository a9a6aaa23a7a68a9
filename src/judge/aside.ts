import type { Stretch } from './evidence.ts';
import type { NormalEffect } from './normal-form.ts';

/** Without the rounds that nothing is expected of. Their effects stay: which they are only normal rows tell. */
export function withoutAside(stretch: Stretch, aside: readonly string[] = []): Stretch {
  if (aside.length === 0) return stretch;
  const isJudged = ({ round }: { readonly round: string }) => !aside.includes(round);
  return {
    ...stretch,
    rounds: stretch.rounds.filter(isJudged),
    attempts: stretch.attempts.filter(isJudged),
  };
}

/** False for a row that names rounds of no interest only. */
export function isJudged({ rounds }: NormalEffect, aside: readonly string[] = []): boolean {
  return rounds.length === 0 || rounds.some((round) => !aside.includes(round));
}
