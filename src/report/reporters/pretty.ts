import wrapAnsi from 'wrap-ansi';
import type { Finding } from '../../model/finding.ts';
import { NOT_OBSERVED, type ObservedSource, type Run, type Trial } from '../../model/run.ts';
import { formatDuration } from '../../support/duration.ts';
import { plural } from '../../support/plural.ts';
import { pushTo } from '../../support/push-to.ts';
import { shellQuote } from '../../support/shell-quote.ts';
import { inFlightText } from '../in-flight.ts';
import { reproduceCommand } from '../reproduce.ts';
import { type Style, verdictBadge } from '../style.ts';

/** What came of a run, for people; the result stands last. */
export function prettyReport(run: Run, style: Style): string {
  const blocks = run.trials.map((trial) => trialBlock(trial, run, style));
  return `${[...blocks, resultLine(run, style)].join('\n')}\n`;
}

function trialBlock(trial: Trial, run: Run, style: Style): string {
  const head = `${verdictBadge(trial.verdict, style)}  ${run.plan ? `${run.plan.pattern}, ` : ''}${plural(run.counts.events, 'event')} to ${run.receiver.url}`;
  const lines = [
    head,
    ...(trial.reason ? wrapped(trial.reason, 2, style) : []),
    ...measured(trial, style),
    ...findingsBlock(trial, run, style),
    ...run.effects.map((source) => `  ${style.paint.dim('observed')}  ${sourceText(source)}`),
    ...trial.notes.flatMap((note) => wrapped(note === NOT_OBSERVED ? ONLY_ANSWERS : note, 2, style)),
    ...trial.warnings.flatMap((warning) => wrapped(`warning: ${warning}`, 2, style)),
  ];
  return lines.join('\n');
}

/** All findings of a trial, and the command that repeats it. */
export function findingsBlock(trial: Trial, run: Run, style: Style): readonly string[] {
  if (trial.findings.length === 0) return [];
  return [
    ...groupsOf(trial.findings).flatMap((group) => ['', ...groupLines(group, style)]),
    `    ${style.paint.dim('reproduce')} ${reproduceCommand(run, trial)}`,
    '',
  ];
}

const ONLY_ANSWERS =
  'effects: not observed. Answers alone do not show that nothing happened twice; add --effect SOURCE to see it.';

export function measured(
  { rounds, hits, verdict, spreadMicros, scheduleErrorMs }: Trial,
  { paint }: Style,
): readonly string[] {
  const lines: string[] = [];
  if (rounds > 1) lines.push(verdict === 'fail' ? `${hits} of ${rounds} rounds broke` : noneOf(rounds));
  if (spreadMicros) lines.push(`released within ${spreadMicros.p50} us (median), ${spreadMicros.max} us (most)`);
  if (scheduleErrorMs) {
    const [p50, p99, max] = [scheduleErrorMs.p50, scheduleErrorMs.p99, scheduleErrorMs.max].map((ms) => ms.toFixed(1));
    lines.push(`sent against planned: ${p50} ms (median), ${p99} ms (99 %), ${max} ms (most)`);
  }
  return lines.map((line) => `  ${paint.dim(line)}`);
}

/** The rule of three: at 95 % confidence. */
function noneOf(rounds: number): string {
  return `0 of ${rounds} rounds broke, which bounds the chance of a break to ${((3 / rounds) * 100).toFixed(0)} % a round`;
}

/** Findings with one cause are told together: what was sent stands once, and so do cause and remedy. */
function groupLines(group: readonly Finding[], style: Style): readonly string[] {
  const { paint } = style;
  const [{ check, event }] = group as readonly [Finding];
  const told = new Set<string>();
  const untold = (lines: readonly string[]) => lines.filter((line) => !told.has(line) && told.add(line));
  const ignores = [...new Set(group.flatMap(({ ignore }) => ignore ?? []))];
  return [
    `  ${paint.bold(check)}${event ? `  ${event}` : ''}`,
    ...group.flatMap((finding) => [
      `    ${finding.title}`,
      `      ${paint.dim('expected')} ${finding.expected}  ${paint.dim('actual')} ${finding.actual}`,
      ...untold(finding.evidence).map((line) => `      ${line}`),
    ]),
    ...[...new Set(group.map(({ hint }) => hint))].flatMap((hint) => hanging('likely', hint, style)),
    ...(ignores.length > 0
      ? hanging(
          'silence',
          `${ignores.map((ignore) => `--ignore ${shellQuote(ignore)}`).join(' ')} (if this is bookkeeping)`,
          style,
        )
      : []),
  ];
}

function groupsOf(findings: readonly Finding[]): ReadonlyArray<readonly Finding[]> {
  const groups = new Map<string, Finding[]>();
  for (const finding of findings) pushTo(groups, `${finding.check}|${finding.event}`, finding);
  return [...groups.values()];
}

function hanging(name: string, text: string, style: Style): readonly string[] {
  const [first = '', ...rest] = wrapped(text, 14, style);
  return [`    ${style.paint.dim(name.padEnd(10))}${first.trimStart()}`, ...rest];
}

export function wrapped(text: string, indent: number, { width }: Style): readonly string[] {
  const margin = ' '.repeat(indent);
  if (width === 0) return [`${margin}${text}`];
  return wrapAnsi(text, Math.max(30, width - indent))
    .split('\n')
    .map((line) => `${margin}${line}`);
}

function sourceText({ id, source, baseline }: ObservedSource): string {
  const { added, changed, removed } = baseline;
  const parts = [added && `${added} added`, changed && `${changed} changed`, removed && `${removed} removed`].filter(
    Boolean,
  );
  return `${id} (${source}): ${parts.length > 0 ? `${parts.join(', ')} in the baseline` : 'nothing changed in the baseline'}`;
}

function openText({ inFlight = [] }: Run): string {
  return inFlight.length === 0 ? '' : ` with ${inFlightText(inFlight)}`;
}

export function resultLine(run: Run, { paint }: Style): string {
  const { counts, durationMs, seed, id, interrupted } = run;
  const parts = [plural(counts.attempts, 'attempt'), formatDuration(durationMs), `seed ${seed}`, `run ${id}`];
  return paint.dim(`${interrupted ? `interrupted${openText(run)} · ` : ''}${parts.join(' · ')}`);
}
