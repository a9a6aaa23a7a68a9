import type { Run, Trial } from '../../model/run.ts';
import { plural } from '../../support/plural.ts';
import { findingLines } from '../finding-lines.ts';
import { labelled, wrapped } from '../layout.ts';
import { measuredLines } from '../measured-lines.ts';
import { observedLines } from '../observed-lines.ts';
import { type Style, verdictBadge, verdictWidth } from '../style.ts';
import { summaryText } from '../summary-text.ts';

/** A suite for people: a line a trial, then what is wrong with each, then the count. */
export function suiteReport(run: Run, style: Style): string {
  const failed = run.trials.filter(({ verdict }) => verdict === 'fail');
  const lines = [
    ...wrapped(
      `${plural(run.trials.length, 'trial')} with ${plural(run.counts.events, 'event')} against ${run.receiver.url}`,
      0,
      style,
    ),
    '',
    ...run.trials.flatMap((trial) => trialLines(trial, run, style)),
    ...failed.flatMap((trial) => ['', ...trialDetails(trial, run, style)]),
    '',
    ...observedLines(run.effects, style),
    ...(run.effects.length > 0 ? [''] : []),
    ...wrapped(style.paint.bold(summaryText(run, style)), 0, style),
  ];
  return `${lines.join('\n').replace(/\n{3,}/g, '\n\n')}\n`;
}

const REASON_INDENT = 4;

/** `✔ PASS          duplicate.sequential`, and why, where it is neither a pass nor a fail, or how it was tried. */
function trialLines(trial: Trial, { trials }: Run, style: Style): readonly string[] {
  const widest = Math.max(...trials.map(({ verdict }) => verdictWidth(verdict)));
  const badge = `${verdictBadge(trial.verdict, style)}${' '.repeat(widest - verdictWidth(trial.verdict))}`;
  const hits = trial.verdict === 'fail' && trial.rounds > 1 && trial.hits > 0;
  const head = `${badge}  ${trial.id}${hits ? `  ${trial.hits} of ${trial.rounds} rounds` : ''}`;
  const text = whyOf(trial);
  const all = `${head}  ${text}`;
  if (text === '') return [head];
  // Beside it where it fits, else below.
  return style.width === 0 || widest + 2 + trial.id.length + 2 + text.length <= style.width
    ? [all]
    : [head, ...wrapped(text, REASON_INDENT, style)];
}

function whyOf({ reason, needs, warnings, tried }: Trial): string {
  const flags = needs.length > 0 ? ` Needs ${needs.join(' or ')}.` : '';
  return reason === undefined ? (warnings[0] ?? tried ?? '') : `${reason}${flags}`;
}

function trialDetails(trial: Trial, run: Run, style: Style): readonly string[] {
  return [
    ...wrapped(style.paint.bold(`${trial.id}: ${trial.title}`), 0, style),
    ...measuredLines(trial, style),
    ...findingLines(trial, run, style),
    ...trial.warnings.flatMap((warning) => labelled('warning', warning, style)),
  ];
}
