import type { Run, Trial } from '../../model/run.ts';
import type { TrialVerdict } from '../../model/verdict.ts';
import { formatDuration } from '../../support/duration.ts';
import { printable } from '../../support/printable.ts';
import { countText, findingLines, measuredLines, provenanceText, reasonText } from '../plain-lines.ts';
import type { Reporter } from '../reporter.ts';
import { reproduceCommand } from '../reproduce.ts';

export const markdown: Reporter = {
  name: 'markdown',
  summary: 'for an issue or a pull request',
  render: markdownReport,
};

export function markdownReport(run: Run): string {
  const what = run.plan ? `${run.command} ${run.plan.pattern}` : run.command;
  const failed = run.trials.filter(({ verdict }) => verdict === 'fail');
  return [
    `## ${SYMBOLS[run.verdict]} webhook-replay ${inline(what)}: ${run.verdict}`,
    '',
    `${countText(run) || 'Nothing was judged'} · ${inline(run.receiver.url)} · ${formatDuration(run.durationMs)} · ${provenanceText(run)}`,
    ...(run.notes ?? []).flatMap((note) => ['', inline(note)]),
    '',
    '| | trial | |',
    '|---|---|---|',
    ...run.trials.map(trialRow),
    ...failed.flatMap((trial) => ['', ...trialSection(trial, run)]),
    '',
  ].join('\n');
}

/**
 * The first lines that fit, with a note that some were left out. Nothing at all when there is no room for a line.
 * A block of code that is cut is closed.
 */
export function cutAtLine(text: string, mostBytes: number): string {
  if (Buffer.byteLength(text) <= mostBytes) return text;
  const note =
    '\n\nThe rest was left out: a job summary may have 1 MiB. The log and the other reports have all of it.\n';
  const lines: string[] = [];
  let room = mostBytes - Buffer.byteLength(note);
  let fence = '';
  for (const line of text.split('\n')) {
    const mark = /^`{3,}/.exec(line)?.[0] ?? '';
    const next = mark === '' ? fence : fence === mark ? '' : fence || mark;
    room -= Buffer.byteLength(line) + 1;
    if (room < next.length + 1) break;
    lines.push(line);
    fence = next;
  }
  if (lines.length === 0) return '';
  return `${[...lines, ...(fence === '' ? [] : [fence])].join('\n')}${note}`;
}

const SYMBOLS: Readonly<Record<TrialVerdict, string>> = {
  pass: '✅',
  fail: '❌',
  inconclusive: '❓',
  skip: '➖',
  'not-applicable': '➖',
};

function trialRow(trial: Trial): string {
  const { verdict, id, title, findings, warnings } = trial;
  const why =
    verdict === 'pass'
      ? (warnings[0] ?? title)
      : verdict === 'fail'
        ? (findings[0]?.title ?? title)
        : reasonText(trial);
  return `| ${SYMBOLS[verdict]} ${verdict} | ${inline(id)} | ${inline(why)} |`;
}

function trialSection(trial: Trial, run: Run): readonly string[] {
  return [
    `### ${inline(trial.id)}`,
    '',
    inline(trial.title),
    '',
    ...fenced([
      ...measuredLines(trial),
      ...trial.findings.flatMap((finding, index) => [...(index === 0 ? [] : ['']), ...findingLines(finding)]),
    ]),
    '',
    'Reproduce:',
    '',
    ...fenced([printable(reproduceCommand(run, trial))], 'sh'),
    ...trial.warnings.flatMap((warning) => ['', `Warning: ${inline(warning)}`]),
  ];
}

/** With a fence that is longer than any in the text. */
function fenced(lines: readonly string[], language = ''): readonly string[] {
  const longest = Math.max(0, ...lines.flatMap((line) => (line.match(/`+/g) ?? []).map((ticks) => ticks.length)));
  const fence = '`'.repeat(Math.max(3, longest + 1));
  return [`${fence}${language}`, ...lines, fence];
}

/** Text from outside within a line: what Markdown or HTML would take for its own is escaped. */
function inline(text: string): string {
  return printable(text).replace(/[\\`*_[\]<>|&#~]/g, (char) => `&#${char.charCodeAt(0)};`);
}
