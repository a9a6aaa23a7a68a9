import type { Outcome } from '../model/attempt.ts';
import { findProvider } from '../providers/list.ts';
import { replayRun } from '../run/replay-run.ts';
import { UserError } from '../support/errors.ts';
import { printable } from '../support/printable.ts';
import { carryOut } from './carry-out.ts';
import type { Context, GlobalOptions } from './context.ts';
import type { DeliveryOptions } from './delivery-options.ts';
import { type Check, checked, notChecked, ok } from './doctor-check.ts';
import { REPLAY_DEFAULTS } from './replay-flags.ts';
import { readReplayRequest } from './replay-request.ts';
import { chooseEvents } from './wire-events.ts';

type Options = DeliveryOptions & GlobalOptions;

/** Sends one signed sample event with new ids, and reads out of the answer whether the signature was accepted. */
export function checkSignature(given: Options, context: Context): Promise<Check> {
  return checked('signature', async () => {
    const provider = findProvider(given.provider ?? 'generic-hmac');
    if (!provider.signature) return notChecked('signature', `Events of ${provider.id} are not signed.`);
    const name = await sampleOf(provider.id);
    if (name === undefined) return notChecked('signature', `There is no sample event of ${provider.id}.`);
    const options = {
      ...REPLAY_DEFAULTS,
      pattern: 'once',
      ...given,
      provider: provider.id,
      newIds: true,
      keepSignatures: false,
      // With effects to judge, baselines would be sent as well.
      effect: undefined,
      quiet: true,
    };
    const selectors = [`fixture:${name}`];
    const events = await chooseEvents(selectors, { options, corpus: undefined, context });
    if (!given.quiet) context.err.write(`Sending one event, ${name} with new ids, to ${options.to}.\n`);
    const read = readReplayRequest({ selectors, events, options, context });
    let outcome: Outcome | undefined;
    const run = await carryOut(
      read,
      {
        events,
        options,
        context,
        listen: (progress) => {
          if (progress.kind === 'attempted') outcome = progress.attempt.outcome;
        },
      },
      replayRun,
    );
    if (!outcome) return notChecked('signature', run.trials[0]?.reason ?? 'Nothing was sent.');
    return judged(outcome, `one event of ${provider.id} (${name}, with new ids)`);
  });
}

async function sampleOf(provider: string): Promise<string | undefined> {
  const { FIXTURES } = await import('../fixtures/fixtures.ts');
  return FIXTURES.find(({ facts, role }) => facts.provider === provider && role === 'single')?.name;
}

const SHOWN_LETTERS = 200;

function judged(outcome: Outcome, what: string): Check {
  if (outcome.kind === 'no-response')
    throw refused(`There was no answer to ${what}: ${outcome.detail}`, 'Look into its log.');
  const { status } = outcome;
  if (status >= 200 && status < 300) return ok('signature', `The receiver accepted ${what} with ${status}.`);
  const said = printable(Buffer.from(outcome.body).toString('utf8').trim()).slice(0, SHOWN_LETTERS);
  throw refused(`The receiver answered ${status} to ${what}${said === '' ? '.' : `: ${said}`}`, hintFor(status));
}

function refused(message: string, hint: string): UserError {
  return new UserError('PROBE_REFUSED', message, { hint, exitCode: 3 });
}

function hintFor(status: number): string {
  if (status === 404 || status === 405) return 'Does --to name the right path? For example --to 3000/webhooks.';
  if (status >= 300 && status < 400) return 'Redirects are not followed: give the final URL with --to.';
  if (status >= 500) return 'The receiver failed; its log says why.';
  return 'Does it have the same secret, and is --provider the sender whose signature it checks? webhook-replay verify explains a signature.';
}
