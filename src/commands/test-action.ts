import type { WebhookEvent } from '../model/event.ts';
import type { Run } from '../model/run.ts';
import { findProvider } from '../providers/list.ts';
import { retryPlanOf } from '../providers/retry-plan.ts';
import type { TestRequest } from '../run/ports.ts';
import { listTrials, testRun } from '../run/test-run.ts';
import { chooseTrials } from '../suite/choose-trials.ts';
import { parseDuration } from '../support/duration.ts';
import { UserError } from '../support/errors.ts';
import { checkBoundary } from './boundary-option.ts';
import { carryOut, exitCodeOf } from './carry-out.ts';
import { chooseReporters } from './choose-reporters.ts';
import type { Context, ExitCode, GlobalOptions } from './context.ts';
import { openReports } from './open-reports.ts';
import { printTrials } from './print-run.ts';
import { readRunRequest } from './replay-request.ts';
import type { TestOptions } from './test-flags.ts';
import { type OwnReceiver, withReceiver } from './test-receiver.ts';
import { openCorpusFor } from './wire-corpus.ts';
import { chooseEvents } from './wire-events.ts';
import { withListening } from './with-listening.ts';

type Options = TestOptions & GlobalOptions;

/** From flags to a request, from verdict to exit code. */
export async function test(positional: readonly string[], options: Options, context: Context): Promise<ExitCode> {
  if (options.keepIds) throw keepIdsRefused(options.reset);
  const reporters = chooseReporters(options, context);
  const given = [...positional, ...(options.event ?? [])];
  const trials = chooseTrials(options.only ?? [], options.skip ?? []);
  const hasSecret = (options.secret ?? []).length > 0;
  const selectors = given.length > 0 ? given : await sampleEvents(options, context);
  const corpus = openCorpusFor(context, options);
  try {
    const events = await chooseEvents(selectors, { options, corpus, context });
    const own = processOf(options);
    if (options.list) {
      printTrials(listTrials({ events, trials, hasSecret, ...own }), options, context);
      return 0;
    }
    const read = readRunRequest(
      { selectors: given, events, options, context },
      options.reset === undefined ? 'fresh' : 'captured',
    );
    const { bail = false, strict = false, repeat } = options;
    const timeoutMs = timeoutOf(options, events);
    const request: TestRequest = { ...read.request, ...own, trials, hasSecret, timeoutMs, bail, strict, repeat };
    const reports = openReports(reporters, options, context);
    const { listen } = reports;
    const run = await withListening(options, context, ({ probes, ...told }) => {
      const play = (receiver?: OwnReceiver): Promise<Run> =>
        carryOut({ ...read, request }, { events, corpus, options, context, probes, receiver, listen }, testRun);
      return withReceiver(told.options, told.context, play);
    });
    return reports.finish(run, exitCodeOf(run));
  } finally {
    corpus.close();
  }
}

function processOf({ start, intercept = [], crashAt = [] }: Options) {
  for (const text of crashAt) checkBoundary(text);
  if (crashAt.length > 0 && intercept.length === 0) {
    throw new UserError('NEEDS_INTERCEPT', '--crash-at needs --intercept.', {
      hint: 'Name the variable of the dependency as well: --intercept DATABASE_URL --crash-at DATABASE_URL:after:2.',
    });
  }
  return { hasProcess: start !== undefined, hasInterception: intercept.length > 0, crashAt };
}

/** The suite plays every event many times; with captured ids each state could take it once. */
function keepIdsRefused(reset: string | undefined): UserError {
  const hint =
    reset === undefined
      ? 'Leave it out: events get new ids. Or give --reset COMMAND, which clears the state.'
      : 'Leave it out: --reset implies it.';
  return new UserError('NEEDS_RESET', '--keep-ids does not go with test.', { hint });
}

/** Sample events of the provider, so that a newcomer needs no capture. */
async function sampleEvents({ provider, secret }: Options, { err }: Context): Promise<readonly string[]> {
  const { FIXTURES } = await import('../fixtures/fixtures.ts');
  const sender = findProvider(provider ?? (secret ? 'generic-hmac' : 'generic')).id;
  const fitting = FIXTURES.filter(({ facts, role }) => facts.provider === sender && role !== 'unknown-type');
  const single = fitting.filter(({ role }) => role === 'single').slice(0, 1);
  const sequence = fitting.filter(({ role }) => role === 'sequence');
  const names = [...single, ...sequence].map(({ name }) => `fixture:${name}`);
  err.write(`No event was given: playing with sample events of ${sender} (${names.join(', ')}).\n`);
  return names;
}

function timeoutOf({ timeout }: Options, events: readonly WebhookEvent[]): number {
  if (timeout !== undefined) return parseDuration(timeout, '--timeout');
  return retryPlanOf(findProvider((events[0] as WebhookEvent).provider)).timeoutMs;
}
