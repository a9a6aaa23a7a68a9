import { parseHeaderOption } from '../deliver/header-option.ts';
import { isLoopback } from '../deliver/loopback-guard.ts';
import { parseReceiver, type Receiver, requestUrl } from '../deliver/receiver-url.ts';
import { parseIgnore } from '../judge/ignore.ts';
import type { WebhookEvent } from '../model/event.ts';
import { parsePattern } from '../plan/parse-pattern.ts';
import { parseSpeed } from '../plan/parse-speed.ts';
import type { ReplayRequest, RunRequest } from '../run/ports.ts';
import { parseDuration } from '../support/duration.ts';
import { UserError } from '../support/errors.ts';
import { randomSeed, uniqueId } from '../support/random.ts';
import { isCredentialHeader } from '../support/redact.ts';
import type { Context, GlobalOptions } from './context.ts';
import type { DeliveryOptions } from './delivery-options.ts';
import { readNamedFile } from './read-file.ts';
import type { ReplayOptions, RunOptions } from './replay-flags.ts';
import { storedRequest } from './stored-request.ts';
import { type ComposeSetup, headerWarnings } from './wire-compose.ts';

/** Everything that the flags say, checked before anything is opened or sent. */
export type ReadRequest<R extends RunRequest> = {
  readonly request: R;
  readonly compose: Pick<ComposeSetup, 'receiver' | 'headers' | 'verbatim' | 'timeoutMs'>;
  readonly tls: { readonly insecure: boolean; readonly ca: Buffer | undefined };
  readonly warnings: readonly string[];
};

type Reading<O> = {
  readonly selectors: readonly string[];
  readonly events: readonly WebhookEvent[];
  readonly options: O & Pick<GlobalOptions, 'given'>;
  readonly context: Context;
};

const NONCE_LETTERS = 12;

export function readReplayRequest(reading: Reading<ReplayOptions>): ReadRequest<ReplayRequest> {
  const { options } = reading;
  parsePattern(options.pattern);
  const read = readRunRequest(reading, identitiesOf(options));
  const request: ReplayRequest = {
    ...read.request,
    pattern: options.pattern,
    ordered: options.ordered ?? false,
    speed: parseSpeed(options.speed),
    rounds: options.rounds,
  };
  return { ...read, request };
}

/** What every command that delivers and judges has. */
export function readRunRequest(
  { selectors, events, options, context }: Reading<RunOptions>,
  identities: RunRequest['identities'],
): ReadRequest<RunRequest> {
  const receiver = readReceiver(options);
  hideCredentials(options, context);
  const request: RunRequest = {
    events,
    seed: options.seed ?? randomSeed(),
    nonce: uniqueId(NONCE_LETTERS),
    concurrency: options.concurrency,
    identities,
    freshPointers: options.fresh ?? [],
    keepPointers: options.keep ?? [],
    ignore: (options.ignore ?? []).map(parseIgnore),
    settleMs: parseDuration(options.settle, '--settle'),
    settleMaxMs: parseDuration(options.settleMax, '--settle-max'),
    settleFirstMs: parseDuration(options.settleFirst, '--settle-first'),
    maxSkewMs: parseDuration(options.maxSkew, '--max-skew'),
    to: receiver.display,
    stored: storedRequest(selectors, { events, options, context }),
  };
  const delivery = readDelivery(options, receiver, context);
  return { request, ...delivery, warnings: headerWarnings(events, delivery.compose.headers) };
}

/** What the flags say about how requests go out. */
function readDelivery(
  options: DeliveryOptions,
  receiver: Receiver,
  context: Context,
): Pick<ReadRequest<RunRequest>, 'compose' | 'tls'> {
  return {
    compose: {
      receiver,
      headers: {
        changes: (options.header ?? []).map(parseHeaderOption),
        preserveHost: options.preserveHost ?? false,
        loopback: isLoopback(requestUrl(receiver, receiver.path ?? '/')),
        allowedCredentials: options.allowHeader ?? [],
      },
      verbatim: options.keepSignatures ?? false,
      timeoutMs: options.timeout === undefined ? undefined : parseDuration(options.timeout, '--timeout'),
    },
    tls: {
      insecure: options.insecure ?? false,
      ca: options.cacert === undefined ? undefined : readNamedFile(options.cacert, context, '--cacert'),
    },
  };
}

/** A credential that goes out with `-H` is a secret like any other. */
function hideCredentials({ header = [] }: DeliveryOptions, { redactor }: Context): void {
  for (const change of header.map(parseHeaderOption)) {
    if (change.kind !== 'set' || !isCredentialHeader(change.name)) continue;
    redactor.register(change.value);
    // The scheme before the token (Bearer, Basic) is no secret.
    redactor.register(change.value.replace(/^\S+\s+/, ''));
  }
}

/** Where to. That its host may be sent to at all is asked later, by `permitHost`. */
function readReceiver({ to }: DeliveryOptions): Receiver {
  if (to === undefined) {
    throw new UserError('NO_RECEIVER', 'There is no receiver to send to.', {
      hint: 'Name it with --to, for example --to 3000 or --to http://localhost:3000/webhooks.',
    });
  }
  return parseReceiver(to);
}

/** With a source, events get new ids, so that the receiver's memory of the captured ones hides nothing. */
function identitiesOf({
  effect,
  newIds,
  keepIds,
  keepSignatures,
  reset,
  fresh,
}: ReplayOptions): ReplayRequest['identities'] {
  if (newIds && (keepIds || keepSignatures)) {
    throw new UserError(
      'CONTRADICTION',
      `--new-ids and ${keepIds ? '--keep-ids' : '--keep-signatures'} contradict each other.`,
      { hint: 'Leave one of them out.' },
    );
  }
  const captured = keepIds || keepSignatures;
  if (effect && captured && reset === undefined) {
    throw new UserError(
      'NEEDS_RESET',
      `${keepIds ? '--keep-ids' : '--keep-signatures'} with --effect needs --reset: a receiver that has seen an event rightly does nothing with it again.`,
      {
        hint: 'Give --reset COMMAND, which clears the state before each round, or leave it out so that the event gets new ids.',
      },
    );
  }
  if (captured || reset !== undefined) return 'captured';
  return effect || newIds || fresh ? 'fresh' : 'captured';
}
