import type { Run, Trial } from '../../model/run.ts';
import { printable } from '../../support/printable.ts';
import { findingLines, measuredLines, provenanceText, reasonText, resultText } from '../plain-lines.ts';
import type { Reporter } from '../reporter.ts';
import { reproduceCommand } from '../reproduce.ts';

/**
 * One suite a run, one case a trial, in the form that both GitLab (lib/gitlab/ci/parsers/test/junit.rb) and Jenkins (junit-10.xsd
 * of the xUnit plugin) read. GitLab takes one `failure` a case and shows the text of `skipped`, not its message. What could
 * not be told is an `error`: both count it as broken.
 */
export const junit: Reporter = {
  name: 'junit',
  summary: 'JUnit XML for GitLab, Jenkins and others',
  render: (run) => {
    const { trials, command, startedAt, seed, id } = run;
    const count = (...verdicts: readonly Trial['verdict'][]) =>
      trials.filter(({ verdict }) => verdicts.includes(verdict)).length;
    const counts = { tests: trials.length, failures: count('fail'), errors: count('inconclusive') };
    const time = seconds(run.durationMs);
    const name = `webhook-replay ${command}`;
    const suite = {
      name,
      ...counts,
      skipped: count('skip', 'not-applicable'),
      time,
      timestamp: startedAt.slice(0, 19),
    };
    const properties = { run: id, seed, receiver: run.receiver.url, verdict: run.verdict, ...patternOf(run) };
    return [
      '<?xml version="1.0" encoding="UTF-8"?>',
      open('testsuites', { name, ...counts, time }),
      open('testsuite', suite),
      '<properties>',
      ...Object.entries(properties).map(([key, value]) => `<property${attributes({ name: key, value })}/>`),
      '</properties>',
      ...caseNames(run).flatMap((caseName, index) => caseLines(trials[index] as Trial, caseName, run)),
      element('system-out', {}, [resultText(run), provenanceText(run), ...(run.notes ?? [])]),
      '</testsuite>',
      '</testsuites>',
      '',
    ].join('\n');
  },
};

function patternOf({ plan }: Run): { readonly pattern?: string } {
  return plan ? { pattern: plan.pattern } : {};
}

/** GitLab keeps one case of a name, so that a repeated suite needs different ones. */
function caseNames({ trials, plan, command }: Run): readonly string[] {
  const seen = new Map<string, number>();
  return trials.map(({ id }) => {
    const name = plan ? `${command} ${plan.pattern}` : id;
    const count = (seen.get(name) ?? 0) + 1;
    seen.set(name, count);
    return count === 1 ? name : `${name} (${count})`;
  });
}

function caseLines(trial: Trial, name: string, run: Run): readonly string[] {
  const durationMs = trial.durationMs ?? (run.trials.length === 1 ? run.durationMs : 0);
  const head = { name, classname: `webhook-replay.${run.command}`, time: seconds(durationMs) };
  return [open('testcase', head), ...resultLines(trial, run), ...outputLines(trial, run), '</testcase>'];
}

function resultLines(trial: Trial, run: Run): readonly string[] {
  switch (trial.verdict) {
    case 'pass':
      return [];
    case 'fail': {
      const [first] = trial.findings;
      const more = trial.findings.length > 1 ? ` (and ${trial.findings.length - 1} more)` : '';
      const message = `${first?.title ?? reasonText(trial)}${more}`;
      // GitLab shows only this of a case.
      const lines = [...trial.findings.flatMap(findingLines), `reproduce: ${reproduceCommand(run, trial)}`];
      return [element('failure', { message, type: first?.check ?? 'fail' }, lines)];
    }
    case 'inconclusive':
      return [element('error', { message: reasonText(trial), type: 'inconclusive' }, [reasonText(trial)])];
    case 'skip':
    case 'not-applicable':
      return [element('skipped', { message: reasonText(trial), type: trial.verdict }, [reasonText(trial)])];
  }
}

function outputLines(trial: Trial, run: Run): readonly string[] {
  if (trial.verdict === 'skip' || trial.verdict === 'not-applicable') return [];
  const lines = [
    trial.title,
    ...measuredLines(trial),
    ...trial.notes,
    ...trial.warnings.map((warning) => `warning: ${warning}`),
    `reproduce: ${reproduceCommand(run, trial)}`,
  ];
  return [element('system-out', {}, lines)];
}

type Attributes = Readonly<Record<string, string | number>>;

function open(name: string, values: Attributes): string {
  return `<${name}${attributes(values)}>`;
}

function element(name: string, values: Attributes, lines: readonly string[]): string {
  const text = valid(lines.join('\n')).replaceAll(']]>', ']]]]><![CDATA[>');
  return `<${name}${attributes(values)}><![CDATA[${text}]]></${name}>`;
}

function attributes(values: Attributes): string {
  return Object.entries(values)
    .map(
      ([name, value]) =>
        ` ${name}="${valid(String(value)).replace(/[&<>"\n\t]/g, (char) => `&#${char.charCodeAt(0)};`)}"`,
    )
    .join('');
}

/** Control characters become visible escapes; what else XML 1.0 has no place for is left out. */
function valid(text: string): string {
  return printable(text, { lines: true }).replace(/[\ufffe\uffff]|\p{Cs}/gu, '');
}

function seconds(ms: number): string {
  return (ms / 1000).toFixed(3);
}
