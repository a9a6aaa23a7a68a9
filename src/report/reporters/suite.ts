import type { Run, Trial } from '../../model/run.ts';
import type { TrialVerdict } from '../../model/verdict.ts';
import { type Style, verdictBadge } from '../style.ts';
import { findingsBlock, measured, resultLine, wrapped } from './pretty.ts';

/** A suite for people: a line a trial, then what is wrong with each, then the count. */
export function suiteReport(run: Run, style: Style): string {
  const width = Math.max(...run.trials.map(({ id }) => id.length));
  const lines = run.trials.map((trial) => trialLine(trial, width, style));
  const failed = run.trials.filter(({ verdict }) => verdict === 'fail');
  const details = failed.flatMap((trial) => ['', ...trialDetails(trial, run, style)]);
  return `${[...lines, ...details, '', `${countLine(run)} · ${run.receiver.url}`, resultLine(run, style)].join('\n')}\n`;
}

const BADGE_WIDTH = 14;

/** `✔ PASS         duplicate.sequential`, and behind it why, where it is neither a pass nor a fail. */
function trialLine(trial: Trial, width: number, style: Style): string {
  const badge = verdictBadge(trial.verdict, style);
  const padding = ' '.repeat(Math.max(1, BADGE_WIDTH + 2 - plainLength(trial.verdict)));
  const needs = trial.needs.length > 0 ? ` Needs ${trial.needs.join(' or ')}.` : '';
  const text = trial.reason === undefined ? (trial.warnings[0] ?? '') : `${trial.reason}${needs}`;
  const rounds =
    trial.verdict === 'fail' && trial.rounds > 1 && trial.hits > 0 ? `${trial.hits} of ${trial.rounds} rounds` : '';
  return `${badge}${padding}${trial.id.padEnd(width)}  ${rounds || style.paint.dim(text)}`.trimEnd();
}

function plainLength(verdict: TrialVerdict): number {
  return verdict.length + 2;
}

function trialDetails(trial: Trial, run: Run, style: Style): readonly string[] {
  return [
    style.paint.bold(`${trial.id}: ${trial.title}`),
    ...measured(trial, style),
    ...findingsBlock(trial, run, style),
    ...trial.warnings.flatMap((warning) => wrapped(`warning: ${warning}`, 2, style)),
  ];
}

function countLine({ trials }: Run): string {
  const words: ReadonlyArray<readonly [TrialVerdict, string]> = [
    ['pass', 'passed'],
    ['fail', 'failed'],
    ['inconclusive', 'inconclusive'],
    ['skip', 'skipped'],
    ['not-applicable', 'not applicable'],
  ];
  const counts = words.map(
    ([verdict, word]) => [trials.filter((trial) => trial.verdict === verdict).length, word] as const,
  );
  return counts
    .filter(([count]) => count > 0)
    .map(([count, word]) => `${count} ${word}`)
    .join(', ');
}
