import type { Outcome } from '../model/attempt.ts';
import type { Headers, WebhookEvent } from '../model/event.ts';
import type { Listener } from '../model/run.ts';
import { replayRun } from '../run/replay-run.ts';
import { isoTime } from '../support/clock.ts';
import { UserError } from '../support/errors.ts';
import { uniqueId } from '../support/random.ts';
import { completeRequest } from './bare-body.ts';
import { readBodyOption } from './body-option.ts';
import { carryOut, exitCodeOf } from './carry-out.ts';
import { chooseReporters } from './choose-reporters.ts';
import type { Context, ExitCode, GlobalOptions } from './context.ts';
import { openReports } from './open-reports.ts';
import { REPLAY_DEFAULTS } from './replay-flags.ts';
import { readReplayRequest } from './replay-request.ts';
import type { SendFlags } from './send-flags.ts';
import { openCorpusFor } from './wire-corpus.ts';
import { chooseEvents } from './wire-events.ts';

type Options = SendFlags & GlobalOptions;

/** One event, once. What the receiver answers is shown; only 2xx is as it should be. */
export async function send(selector: string | undefined, flags: Options, context: Context): Promise<ExitCode> {
  const reporters = chooseReporters(flags, context);
  const selectors = [...(selector === undefined ? [] : [selector]), ...(flags.event ?? [])];
  const events = await eventsToSend(selectors, flags, context);
  const options = { ...REPLAY_DEFAULTS, pattern: 'once', ...flags };
  const read = readReplayRequest({ selectors, events, options, context });
  const reports = openReports(reporters, options, context);
  const listen =
    reporters.stdout.name === 'pretty' && !flags.quiet ? showAnswer(reports.listen, context) : reports.listen;
  const run = await carryOut(read, { events, options, context, listen }, replayRun);
  return reports.finish({ ...run, command: 'send' }, exitCodeOf(run));
}

async function eventsToSend(
  selectors: readonly string[],
  flags: Options,
  context: Context,
): Promise<readonly WebhookEvent[]> {
  if (flags.body !== undefined) {
    if (selectors.length > 0) throw tooMuch(`"${selectors[0]}" and --body`);
    return [await eventOfBody(flags.body, flags, context)];
  }
  if (selectors.length > 1) throw tooMuch(`${selectors.length} events`);
  if (selectors.length === 0) {
    throw new UserError('NO_EVENT', 'There is nothing to send.', {
      hint: 'Name an event (an id, last, FILE, fixture:NAME), or give the payload with --body @FILE.',
    });
  }
  const corpus = openCorpusFor(context, flags);
  try {
    const events = await chooseEvents(selectors, { options: flags, corpus, context });
    if (events.length > 1) throw tooMuch(`"${selectors[0]}" (${events.length} events)`);
    return events;
  } finally {
    corpus.close();
  }
}

function tooMuch(what: string): UserError {
  return new UserError('ONE_EVENT', `send takes one event, not ${what}.`, {
    hint: 'webhook-replay replay sends several.',
  });
}

async function eventOfBody(body: string, flags: Options, context: Context): Promise<WebhookEvent> {
  const payload = await readBodyOption(body, context);
  const request = { method: 'POST', path: '/', query: null, headers: [] as Headers, payload };
  const completed = completeRequest(request, flags, context);
  return { ...completed, id: uniqueId(6), receivedAt: isoTime(context.clock.epochMs()), tags: [], marks: [] };
}

/** The answer goes to standard output as it comes: it is what the command is for. */
function showAnswer(listen: Listener, { out }: Context): Listener {
  return (progress) => {
    listen(progress);
    if (progress.kind === 'attempted') out.write(answerText(progress.attempt.outcome));
  };
}

const SHOWN_BYTES = 2000;

function answerText(outcome: Outcome): string {
  if (outcome.kind === 'no-response') return `no response (${outcome.reason}): ${outcome.detail}\n`;
  const text = Buffer.from(outcome.body).toString('utf8', 0, SHOWN_BYTES);
  return `${outcome.status}\n${outcome.headers.map(([name, value]) => `${name}: ${value}\n`).join('')}\n${text}${text === '' || text.endsWith('\n') ? '' : '\n'}\n`;
}
