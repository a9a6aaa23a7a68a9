import type { Run } from '../model/run.ts';
import type { TrialVerdict } from '../model/verdict.ts';
import { formatDuration } from '../support/duration.ts';
import { plural } from '../support/plural.ts';
import { inFlightText } from './in-flight.ts';
import { dot, type Style } from './style.ts';

const ORDER: readonly TrialVerdict[] = ['fail', 'inconclusive', 'pass', 'skip', 'not-applicable'];

const WORDS: Readonly<Record<TrialVerdict, string>> = {
  fail: 'failed',
  inconclusive: 'inconclusive',
  pass: 'passed',
  skip: 'skipped',
  'not-applicable': 'not applicable',
};

/** The result in one line, which stands last: `1 failed · 4 attempts · 1.1 s · seed 7 · run Mm7uN2`. */
export function summaryText(
  { trials, counts, durationMs, seed, id, interrupted, inFlight = [] }: Run,
  style: Style,
): string {
  const verdicts = ORDER.map((verdict) => [trials.filter((trial) => trial.verdict === verdict).length, WORDS[verdict]]);
  const result = verdicts.flatMap(([count, word]) => (count === 0 ? [] : [`${count} ${word}`])).join(', ');
  const parts = [
    ...(interrupted ? [`interrupted${openText(inFlight)}`] : []),
    result,
    plural(counts.attempts, 'attempt'),
    formatDuration(durationMs),
    `seed ${seed}`,
    `run ${id}`,
  ];
  return parts.join(dot(style));
}

function openText(inFlight: readonly string[]): string {
  return inFlight.length === 0 ? '' : ` with ${inFlightText(inFlight)}`;
}
