import type { Trial } from '../model/run.ts';
import { type Verdict, worst } from '../model/verdict.ts';

/**
 * Of a whole run. Skips and not-applicables are never counted as passed; nothing judged is inconclusive.
 * @param strict true when a skip is inconclusive as well
 */
export function verdictOf(trials: readonly Trial[], strict = false): Verdict {
  const judged = trials.flatMap(({ verdict }): readonly Verdict[] => {
    if (verdict === 'not-applicable') return [];
    if (verdict === 'skip') return strict ? ['inconclusive'] : [];
    return [verdict];
  });
  return judged.length === 0 ? 'inconclusive' : worst(judged);
}
