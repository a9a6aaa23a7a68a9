import { Chalk } from 'chalk';
import type { Run, Trial } from '../model/run.ts';
import type { Look } from '../report/reporter.ts';
import { pretty } from '../report/reporters/for-people.ts';
import { json } from '../report/reporters/json.ts';
import { isUnicode, type Style } from '../report/style.ts';
import type { listTrials } from '../run/test-run.ts';
import type { Output } from '../support/output.ts';
import { type Redactor, redactDeep } from '../support/redact.ts';
import { VERSION } from '../version.ts';
import type { Context, GlobalOptions } from './context.ts';

/** The report to standard output: for people, or one JSON document. */
export function printRun(run: Run, options: GlobalOptions, context: Context): void {
  const { out, redactor } = context;
  const reporter = options.json ? json : pretty;
  out.writeBytes(Buffer.from(reporter.render(redactedRun(run, redactor), lookOf(out, options, context))));
}

/** How a report looks on one of the streams. */
export function lookOf(output: Output, { quiet = false }: GlobalOptions, context: Context): Look {
  return { style: styleOf(output, context), version: VERSION, quiet };
}

/** In a file there is all of it, in plain text. */
export const FILE_LOOK: Look = {
  style: { paint: new Chalk({ level: 0 }), width: 0, unicode: true },
  version: VERSION,
  quiet: false,
};

/**
 * A plan names events and holds nothing else from outside; it may be huge. Commands, ids and verdicts are words of our own, which
 * a secret for tests may be too ("test", "pass").
 */
export function redactedRun({ plan, ...run }: Run, redactor: Redactor): Run {
  const redacted = redactDeep(run, redactor);
  const trials = redacted.trials.map((trial, index) => {
    const { id, verdict } = run.trials[index] as Trial;
    return { ...trial, id, verdict };
  });
  return { ...redacted, command: run.command, verdict: run.verdict, trials, plan };
}

export function styleOf(output: Output, { env }: Context): Style {
  return { paint: output.paint, width: output.isTerminal ? output.columns : 0, unicode: isUnicode(env) };
}

/** What `test` would play, and why not. */
export function printTrials(listed: ReturnType<typeof listTrials>, options: GlobalOptions, { out }: Context): void {
  if (options.json) {
    const trials = listed.map(({ trial: { id, title }, availability }) => ({ id, title, ...availability }));
    out.json({ schema: 'webhook-replay/trials/1', trials });
    return;
  }
  const width = Math.max(...listed.map(({ trial }) => trial.id.length));
  for (const { trial, availability } of listed) {
    const why = availability.kind === 'ready' ? trial.title : `${availability.kind}: ${availability.reason}`;
    const needs = availability.kind === 'skip' ? ` Needs ${availability.needs.join(' or ')}.` : '';
    out.write(`${trial.id.padEnd(width)}  ${why}${needs}\n`);
  }
}
