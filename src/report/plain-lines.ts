import type { Finding } from '../model/finding.ts';
import type { Run, Trial } from '../model/run.ts';
import { countVerdicts, type TrialVerdict } from '../model/verdict.ts';
import { plural } from '../support/plural.ts';
import { printable } from '../support/printable.ts';
import { shellQuote } from '../support/shell-quote.ts';

/** A finding in full, a fact a line, for readers without a terminal: nothing is wrapped, painted or cut. */
export function findingLines({ check, title, event, expected, actual, evidence, hint, ignore }: Finding): string[] {
  return [
    `${check}${event === undefined ? '' : ` (${event})`}: ${title}`,
    `  expected  ${expected}`,
    `  actual    ${actual}`,
    ...evidence.map((line) => `  ${line}`),
    `  likely    ${hint}`,
    ...(ignore ? [`  silence   ${ignore.map((glob) => `--ignore ${shellQuote(glob)}`).join(' ')}`] : []),
  ].map((line) => printable(line));
}

/** How often and how exactly it was tried, a sentence each. */
export function measuredLines({ rounds, hits, verdict, spreadMicros, scheduleErrorMs }: Trial): string[] {
  const lines: string[] = [];
  if (rounds > 1) lines.push(`${verdict === 'fail' ? hits : 0} of ${rounds} rounds broke`);
  if (spreadMicros) lines.push(`released within ${spreadMicros.p50} us (median), ${spreadMicros.max} us (most)`);
  if (scheduleErrorMs) {
    const [p50, max] = [scheduleErrorMs.p50.toFixed(1), scheduleErrorMs.max.toFixed(1)];
    lines.push(`sent against planned: ${p50} ms (median), ${max} ms (most)`);
  }
  return lines;
}

/** Why a trial is neither a pass nor a fail, and what would make a skipped one possible. */
export function reasonText({ reason = '', needs, verdict }: Trial): string {
  const needed = needs.length === 0 ? '' : `Needs ${needs.join(' or ')}.`;
  return printable([reason || verdict, needed].filter(Boolean).join(' '));
}

/** `1 passed, 2 failed`; what there is none of is left out. */
export function verdictCounts(verdicts: readonly TrialVerdict[]): string {
  return Object.entries(countVerdicts(verdicts))
    .filter(([, count]) => count > 0)
    .map(([verdict, count]) => `${count} ${WORDS[verdict as TrialVerdict]}`)
    .join(', ');
}

const WORDS: Readonly<Record<TrialVerdict, string>> = {
  pass: 'passed',
  fail: 'failed',
  inconclusive: 'inconclusive',
  skip: 'skipped',
  'not-applicable': 'not applicable',
};

export function countText({ trials }: Run): string {
  return verdictCounts(trials.map(({ verdict }) => verdict));
}

/** `test of http://...: fail (1 passed, 1 failed)`. */
export function resultText(run: Run): string {
  const what = run.plan ? `${run.command} ${run.plan.pattern}` : run.command;
  return `${what} of ${run.receiver.url}: ${run.verdict} (${countText(run) || 'nothing judged'})`;
}

/** `12 attempts, seed 7, run Xt9Kp2`. */
export function provenanceText({ counts, seed, id, interrupted }: Run): string {
  return `${plural(counts.attempts, 'attempt')}, seed ${seed}, run ${id}${interrupted ? ', interrupted' : ''}`;
}
