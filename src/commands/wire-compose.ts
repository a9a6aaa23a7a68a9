import { type HeaderChoices, outgoingHeaders } from '../deliver/outgoing-headers.ts';
import { type Receiver, requestTarget, requestUrl } from '../deliver/receiver-url.ts';
import type { OutgoingRequest } from '../model/attempt.ts';
import type { Headers, WebhookEvent } from '../model/event.ts';
import type { Composed } from '../model/execution.ts';
import type { Forgery } from '../model/plan.ts';
import type { Sign, SignInput } from '../model/sign.ts';
import { changeEvent } from '../mutate/changes.ts';
import { renewForRedelivery } from '../mutate/renew-for-redelivery.ts';
import { findProvider } from '../providers/list.ts';
import { retryPlanOf } from '../providers/retry-plan.ts';
import type { Sending } from '../run/ports.ts';
import type { Clock } from '../support/clock.ts';
import { seededRandom } from '../support/random.ts';
import type { Forge } from './wire-signing.ts';

export type ComposeSetup = {
  readonly receiver: Receiver;
  readonly headers: HeaderChoices;
  readonly signerFor: (provider: string) => Sign | undefined;
  readonly forge: Forge;
  /** True: nothing is renewed, not even what the provider renews on a retry. */
  readonly verbatim: boolean;
  /** Milliseconds for every attempt; absent: the provider's own. */
  readonly timeoutMs: number | undefined;
  readonly clock: Clock;
  readonly seed: number;
  /** Makes renewed delivery ids differ from those of another run with the same seed. */
  readonly nonce: string;
};

/** From an event to the request that goes out now: renewed as the provider would, changed as planned, aimed at the receiver, signed at this moment. */
export function createComposer(setup: ComposeSetup): (sending: Sending) => Composed {
  const { receiver } = setup;
  const headersOf = headersOnce(setup.headers);
  const urlOf = urlOnce(receiver);
  return (sending) => {
    const event = eventToSend(sending, setup);
    const headers = headersOf(event.headers);
    const target = requestTarget(receiver, event.path, event.query);
    const { method, payload } = event;
    const url = urlOf(target);
    const nowMs = setup.clock.epochMs();
    const signed = signAs(sending.forgery, { method, url, headers, payload, nowMs }, { event, setup });
    const request = { method, url, target, headers: signed.headers, payload: signed.payload };
    return { request, ...patienceFor(sending, setup) };
  };
}

/** The copies of an event share its headers. */
function headersOnce(choices: HeaderChoices): (captured: Headers) => Headers {
  const known = new WeakMap<Headers, Headers>();
  return (captured) => {
    const headers = known.get(captured) ?? outgoingHeaders(captured, choices).headers;
    known.set(captured, headers);
    return headers;
  };
}

/** Most events go where the one before went. */
function urlOnce(receiver: Receiver): (target: string) => URL {
  let last: { readonly target: string; readonly url: URL } | undefined;
  return (target) => {
    if (last?.target !== target) last = { target, url: requestUrl(receiver, target) };
    return last.url;
  };
}

/**
 * What the receiver will not get of the captured headers, a sentence each. Called before anything is sent.
 * @throws UserError for a header that cannot be sent
 */
export function headerWarnings(events: readonly WebhookEvent[], choices: HeaderChoices): readonly string[] {
  const withheld = new Map<string, string>();
  for (const { headers } of events) {
    for (const name of outgoingHeaders(headers, choices).withheld) withheld.set(name.toLowerCase(), name);
  }
  return [...withheld.values()].map(
    (name) => `The captured header ${name} does not leave this machine; --allow-header ${name} sends it.`,
  );
}

function eventToSend({ event, copy, attempt, isRedelivery, change }: Sending, setup: ComposeSetup): WebhookEvent {
  const changed = change === undefined ? event : (changeEvent(event, change) ?? event);
  if (!isRedelivery || setup.verbatim) return changed;
  const random = () =>
    seededRandom(setup.seed, setup.nonce, event.id, event.eventId ?? '', String(copy), String(attempt));
  return renewForRedelivery(changed, { provider: findProvider(event.provider), attempt: copy + attempt - 1, random });
}

type Signed = Pick<OutgoingRequest, 'headers' | 'payload'>;
type Signing = { readonly event: WebhookEvent; readonly setup: ComposeSetup };

function signAs(forgery: Forgery | undefined, input: SignInput, { event, setup }: Signing): Signed {
  if (forgery !== undefined) return setup.forge(forgery, event.provider)(input);
  const sign = setup.signerFor(event.provider);
  return { headers: sign ? sign(input) : input.headers, payload: input.payload };
}

/** Only the first attempt is broken off: the provider's retry is a whole one. */
function patienceFor({ event, attempt, abandon }: Sending, setup: ComposeSetup): Omit<Composed, 'request'> {
  const timeoutMs = setup.timeoutMs ?? retryPlanOf(findProvider(event.provider)).timeoutMs;
  if (abandon === undefined || attempt > 1) return { timeoutMs };
  return abandon.kind === 'reset' ? { timeoutMs, cutAfterBody: true } : { timeoutMs: abandon.afterMs };
}
