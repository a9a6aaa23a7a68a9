export type Verdict = 'pass' | 'fail' | 'inconclusive';

/** A trial's verdict; `skip` names the flag that would make it possible, `not-applicable` says there is no such thing here. */
export type TrialVerdict = Verdict | 'skip' | 'not-applicable';

const WEIGHT: Record<Verdict, number> = { pass: 0, inconclusive: 1, fail: 2 };

/** The worst verdict wins: one proven duplicate outweighs any number of checks that could not tell. */
export function worst(verdicts: readonly Verdict[]): Verdict {
  return verdicts.reduce<Verdict>((a, b) => (WEIGHT[b] > WEIGHT[a] ? b : a), 'pass');
}

/** How often each came. */
export function countVerdicts(verdicts: readonly TrialVerdict[]): Readonly<Record<TrialVerdict, number>> {
  const counts = { pass: 0, fail: 0, inconclusive: 0, skip: 0, 'not-applicable': 0 };
  for (const verdict of verdicts) counts[verdict]++;
  return counts;
}
