import type { Finding } from '../model/finding.ts';
import type { Run, Trial } from '../model/run.ts';
import { foldCommand } from '../support/fold-command.ts';
import { pushTo } from '../support/push-to.ts';
import { shellQuote } from '../support/shell-quote.ts';
import { fitEvidence } from './fit-evidence.ts';
import { labelled, wrapped } from './layout.ts';
import { reproduceCommand } from './reproduce.ts';
import type { Style } from './style.ts';

/** More than so many of one kind are not read. */
const MOST_OF_A_KIND = 8;
/** Where a command goes on in its next line. */
const HANG = 17;

/** What broke: for each check and event what was sent and seen, the likely cause, and how to silence or repeat it. */
export function findingLines(trial: Trial, run: Run, style: Style): readonly string[] {
  if (trial.findings.length === 0) return [];
  return [
    ...groupsOf(trial.findings).flatMap((group) => ['', ...groupLines(group, style)]),
    ...commandLines('reproduce', reproduceCommand(run, trial), style),
    '',
  ];
}

/** Findings with one cause are told together: what was sent stands once, and so do cause and remedy. */
function groupLines(group: readonly Finding[], style: Style): readonly string[] {
  const { paint } = style;
  const [{ check, event }] = group as readonly [Finding];
  const isNew = newOnes();
  const shown = group.slice(0, MOST_OF_A_KIND);
  const ignores = [...new Set(group.flatMap(({ ignore }) => ignore ?? []))];
  const rest = group.length - shown.length;
  return [
    ...wrapped(`${paint.bold(check)}${event ? `  ${event}` : ''}`, 2, style),
    ...shown.flatMap((finding) => oneLines(finding, isNew, style)),
    ...(rest > 0 ? wrapped(`and ${rest} more like these; --json has all`, 4, style) : []),
    '',
    ...[...new Set(group.map(({ hint }) => hint))].flatMap((hint) => labelled('likely', hint, style)),
    ...(ignores.length > 0 ? commandLines('silence', silenceText(ignores), style) : []),
  ];
}

function oneLines(finding: Finding, isNew: (line: string) => boolean, style: Style): readonly string[] {
  const { paint } = style;
  const marked = (line: string) => line.replace(/<- .*$/, (mark) => paint.red(mark));
  return [
    ...wrapped(paint.bold(finding.title), 4, style),
    ...labelled('expected', finding.expected, { ...style, indent: 6 }),
    ...labelled('actual', finding.actual, { ...style, indent: 6 }),
    ...fitEvidence(finding.evidence.filter(isNew), finding, { indent: 6, style }).map(marked),
  ];
}

function newOnes(): (line: string) => boolean {
  const told = new Set<string>();
  return (line) => !told.has(line) && told.add(line).has(line);
}

function silenceText(ignores: readonly string[]): string {
  return `if this is bookkeeping: ${ignores.map((ignore) => `--ignore ${shellQuote(ignore)}`).join(' ')}`;
}

/** Never torn inside a word, so that it can be pasted. */
function commandLines(label: string, command: string, { paint, width }: Style): readonly string[] {
  const [first = '', ...more] = width === 0 ? [command] : foldCommand(command, width - HANG);
  return [`  ${paint.dim(label.padEnd(HANG - 4 - 2))}${first}`, ...more.map((line) => `${' '.repeat(HANG)}${line}`)];
}

function groupsOf(findings: readonly Finding[]): ReadonlyArray<readonly Finding[]> {
  const groups = new Map<string, Finding[]>();
  for (const finding of findings) pushTo(groups, `${finding.check}|${finding.event}`, finding);
  return [...groups.values()];
}
