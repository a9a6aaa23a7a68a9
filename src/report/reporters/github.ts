import type { Run, Trial } from '../../model/run.ts';
import { printable } from '../../support/printable.ts';
import { findingLines, reasonText } from '../plain-lines.ts';
import type { Reporter } from '../reporter.ts';
import { reproduceCommand } from '../reproduce.ts';
import { cutAtLine, markdownReport } from './markdown.ts';

/** GitHub shows so many errors and so many warnings of a step, the first ones (orgs/community discussion 68471). */
const MOST_SHOWN = 10;
/** A job summary beyond 1 MiB is dropped as a whole. */
const MOST_SUMMARY_BYTES = 1_000_000;

/** Annotations by workflow commands, the worst first, and the job's summary. */
export const github: Reporter = {
  name: 'github',
  summary: "annotations and the job's summary on GitHub",
  isAside: true,
  render: (run) =>
    [...shown('error', errorsOf(run)), ...shown('warning', warningsOf(run))].map((line) => `${line}\n`).join(''),
  appendix: {
    variable: 'GITHUB_STEP_SUMMARY',
    mostBytes: MOST_SUMMARY_BYTES,
    render: (run, roomBytes) => cutAtLine(markdownReport(run), roomBytes),
  },
};

type Annotation = { readonly title: string; readonly text: string };

function shown(level: 'error' | 'warning', all: readonly Annotation[]): readonly string[] {
  if (all.length <= MOST_SHOWN) return all.map((annotation) => command(level, annotation));
  const first = all.slice(0, MOST_SHOWN - 1);
  const rest = `${all.length - first.length} more ${level}s`;
  return [...first, { title: rest, text: `${rest} stand in the log and in the job's summary.` }].map((annotation) =>
    command(level, annotation),
  );
}

/** What broke in each trial, then what could not be told, then what else broke: so every failed trial is seen first. */
function errorsOf(run: Run): readonly Annotation[] {
  const failed = run.trials.filter(({ verdict }) => verdict === 'fail').map((trial) => findingsOf(trial, run));
  const unclear = run.trials.filter(({ verdict }) => verdict === 'inconclusive');
  return [
    ...failed.flatMap(([first]) => first ?? []),
    ...unclear.map((trial) => ({ title: `${trial.id} inconclusive`, text: reasonText(trial) })),
    ...failed.flatMap(([, ...more]) => more),
  ];
}

function findingsOf(trial: Trial, run: Run): readonly Annotation[] {
  return trial.findings.map((finding) => ({
    title: `${trial.id} ${finding.check}`,
    text: [...findingLines(finding), `reproduce: ${reproduceCommand(run, trial, [finding])}`].join('\n'),
  }));
}

function warningsOf({ trials }: Run): readonly Annotation[] {
  return trials.flatMap(({ id, warnings }) => warnings.map((text) => ({ title: id, text })));
}

/** https://docs.github.com/actions/reference/workflow-commands-for-github-actions */
function command(level: 'error' | 'warning', { title, text }: Annotation): string {
  return `::${level} title=${property(`webhook-replay: ${title}`)}::${data(text)}`;
}

function data(text: string): string {
  return printable(text, { lines: true }).replaceAll('%', '%25').replaceAll('\n', '%0A');
}

function property(text: string): string {
  return data(printable(text)).replaceAll(':', '%3A').replaceAll(',', '%2C');
}
