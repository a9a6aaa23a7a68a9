import { NOT_OBSERVED, type Run, type Trial } from '../../model/run.ts';
import { plural } from '../../support/plural.ts';
import { findingLines } from '../finding-lines.ts';
import { labelled, wrapped } from '../layout.ts';
import { measuredLines } from '../measured-lines.ts';
import { observedLines } from '../observed-lines.ts';
import { type Style, verdictBadge } from '../style.ts';
import { summaryText } from '../summary-text.ts';

/** What came of a run, for people; the result stands last. */
export function prettyReport(run: Run, style: Style): string {
  const lines = [
    ...run.trials.flatMap((trial) => trialLines(trial, run, style)),
    ...observedLines(run.effects, style),
    '',
    ...wrapped(style.paint.bold(summaryText(run, style)), 0, style),
  ];
  return `${lines.join('\n')}\n`;
}

/** The verdict and the numbers in one line, for `--quiet`. */
export function verdictLine(run: Run, style: Style): string {
  return `${verdictBadge(run.verdict, style)}  ${summaryText(run, style)}\n`;
}

function trialLines(trial: Trial, run: Run, style: Style): readonly string[] {
  return [
    ...wrapped(`${verdictBadge(trial.verdict, style)}  ${titleOf(trial, run)}`, 0, style),
    ...(trial.reason ? wrapped(trial.reason, 2, style) : []),
    ...measuredLines(trial, style),
    ...findingLines(trial, run, style),
    ...trial.notes.flatMap((note) => labelled('note', note === NOT_OBSERVED ? UNOBSERVED_NOTE : note, style)),
    ...trial.warnings.flatMap((warning) => labelled('warning', warning, style)),
  ];
}

/** A replay is its pattern; the trials of a suite have names. */
function titleOf({ id, title }: Trial, { plan, counts, receiver }: Run): string {
  return plan ? `${plan.pattern}, ${plural(counts.events, 'event')} to ${receiver.url}` : `${id}  ${title}`;
}

const UNOBSERVED_NOTE =
  'effects: not observed. Answers alone do not show that nothing happened twice; add --effect SOURCE to see it.';
