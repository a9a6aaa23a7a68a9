import type { Run, Trial } from '../../model/run.ts';
import { printable } from '../../support/printable.ts';
import { findingLines, measuredLines, provenanceText, reasonText, resultText } from '../plain-lines.ts';
import type { Reporter } from '../reporter.ts';
import { reproduceCommand } from '../reproduce.ts';

/**
 * One suite a run, one case a trial, in the form that both GitLab (lib/gitlab/ci/parsers/test/junit.rb) and Jenkins (junit-10.xsd
 * of the xUnit plugin) read. What could not be told is an `error`: both count it as broken.
 */
export const junit: Reporter = {
  name: 'junit',
  summary: 'JUnit XML for GitLab, Jenkins and others',
  render: (run) => {
    const { command, startedAt, seed, id, plan } = run;
    const cases = casesOf(run);
    const count = (tag: Result['tag']) => cases.filter(({ result }) => result?.tag === tag).length;
    const counts = { tests: cases.length, failures: count('failure'), errors: count('error') };
    const head = { name: `webhook-replay ${command}`, ...counts, time: seconds(run.durationMs) };
    const properties = {
      run: id,
      seed,
      receiver: run.receiver.url,
      verdict: run.verdict,
      pattern: plan?.pattern ?? '',
    };
    return [
      '<?xml version="1.0" encoding="UTF-8"?>',
      open('testsuites', head),
      open('testsuite', { ...head, skipped: count('skipped'), timestamp: startedAt.slice(0, 19) }),
      '<properties>',
      ...Object.entries(properties).map(([name, value]) => `<property${attributes({ name, value })}/>`),
      '</properties>',
      ...cases.flatMap((each) => caseLines(each, command)),
      element('system-out', {}, [resultText(run), provenanceText(run), ...(run.notes ?? [])]),
      '</testsuite>',
      '</testsuites>',
      '',
    ].join('\n');
  },
};

/** GitLab takes one result a case, and shows its text only. */
type Result = {
  readonly tag: 'failure' | 'error' | 'skipped';
  readonly type: string;
  readonly message: string;
  readonly lines: readonly string[];
};

type Case = {
  readonly name: string;
  readonly durationMs: number;
  readonly result?: Result | undefined;
  readonly output: readonly string[];
};

/** A run that is no pass has a case that says so, also when all that there is was skipped. */
function casesOf(run: Run): readonly Case[] {
  const names = namesOf(run);
  const cases = run.trials.map((trial, index) => caseOf(trial, names[index] ?? trial.id, run));
  const isBroken = cases.some(({ result }) => result !== undefined && result.tag !== 'skipped');
  if (run.verdict === 'pass' || isBroken) return cases;
  const verdict = inconclusive(`${resultText(run)}.`);
  return [...cases, { name: 'verdict', durationMs: 0, result: verdict, output: [] }];
}

/** GitLab keeps one case of a name, so that a repeated suite needs different ones. */
function namesOf({ trials, plan, command }: Run): readonly string[] {
  const seen = new Map<string, number>();
  return trials.map(({ id }) => {
    const name = plan ? `${command} ${plan.pattern}` : id;
    const count = (seen.get(name) ?? 0) + 1;
    seen.set(name, count);
    return count === 1 ? name : `${name} (${count})`;
  });
}

function caseOf(trial: Trial, name: string, run: Run): Case {
  const { title, notes, warnings } = trial;
  const durationMs = trial.durationMs ?? (run.trials.length === 1 ? run.durationMs : 0);
  const result = resultOf(trial, run);
  if (result?.tag === 'skipped') return { name, durationMs: 0, result, output: [] };
  const told = warnings.map((warning) => `warning: ${warning}`);
  return { name, durationMs, result, output: [title, ...measuredLines(trial), ...notes, ...told, again(trial, run)] };
}

function resultOf(trial: Trial, run: Run): Result | undefined {
  const { verdict, findings } = trial;
  switch (verdict) {
    case 'pass':
      return undefined;
    case 'fail': {
      const [first] = findings;
      const message = `${first?.title ?? reasonText(trial)}${findings.length > 1 ? ` (and ${findings.length - 1} more)` : ''}`;
      const lines = [...findings.flatMap(findingLines), again(trial, run)];
      return { tag: 'failure', type: first?.check ?? verdict, message, lines };
    }
    case 'inconclusive':
      return inconclusive(reasonText(trial));
    case 'skip':
    case 'not-applicable':
      return { tag: 'skipped', type: verdict, message: reasonText(trial), lines: [reasonText(trial)] };
  }
}

function inconclusive(why: string): Result {
  return { tag: 'error', type: 'inconclusive', message: why, lines: [why] };
}

function again(trial: Trial, run: Run): string {
  return `reproduce: ${reproduceCommand(run, trial)}`;
}

function caseLines({ name, durationMs, result, output }: Case, command: string): readonly string[] {
  return [
    open('testcase', { name, classname: `webhook-replay.${command}`, time: seconds(durationMs) }),
    ...(result ? [element(result.tag, { message: result.message, type: result.type }, result.lines)] : []),
    ...(output.length > 0 ? [element('system-out', {}, output)] : []),
    '</testcase>',
  ];
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
  const escaped = (text: string) => text.replace(/[&<>"\n\t]/g, (char) => `&#${char.charCodeAt(0)};`);
  return Object.entries(values)
    .map(([name, value]) => ` ${name}="${escaped(valid(String(value)))}"`)
    .join('');
}

/** Control characters become visible escapes; what else XML 1.0 has no place for is left out. */
function valid(text: string): string {
  return printable(text, { lines: true }).replace(/[\ufffe\uffff]|\p{Cs}/gu, '');
}

function seconds(ms: number): string {
  return (ms / 1000).toFixed(3);
}
