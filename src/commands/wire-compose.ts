import { type HeaderChoices, outgoingHeaders } from '../deliver/outgoing-headers.ts';
import { type Receiver, requestTarget, requestUrl } from '../deliver/receiver-url.ts';
import type { Composed } from '../model/execution.ts';
import type { Sign } from '../model/sign.ts';
import { renewForRedelivery } from '../mutate/renew-for-redelivery.ts';
import { findProvider } from '../providers/list.ts';
import { retryPlanOf } from '../providers/retry-plan.ts';
import type { Sending } from '../run/ports.ts';
import type { Clock } from '../support/clock.ts';
import { seededRandom } from '../support/random.ts';

export type ComposeSetup = {
  readonly receiver: Receiver;
  readonly headers: HeaderChoices;
  readonly signerFor: (provider: string) => Sign | undefined;
  /** True: nothing is renewed, not even what the provider renews on a retry. */
  readonly verbatim: boolean;
  /** Milliseconds for every attempt; absent: the provider's own. */
  readonly timeoutMs: number | undefined;
  readonly clock: Clock;
  readonly seed: number;
  /** Makes renewed delivery ids differ from those of another run with the same seed. */
  readonly nonce: string;
};

/** From an event to the request that goes out now: renewed as the provider would, aimed at the receiver, signed at this moment. */
export function createComposer(setup: ComposeSetup): (sending: Sending) => Composed {
  const { receiver, headers: choices, signerFor, clock } = setup;
  return ({ event, copy, attempt, isRedelivery }) => {
    const provider = findProvider(event.provider);
    const random = seededRandom(setup.seed, setup.nonce, event.id, event.eventId ?? '', String(copy), String(attempt));
    const renewed = isRedelivery && !setup.verbatim ? renewForRedelivery(event, { provider, attempt: copy + attempt - 1, random }) : event;
    const { headers } = outgoingHeaders(renewed.headers, choices);
    const target = requestTarget(receiver, renewed.path, renewed.query);
    const unsigned = { method: renewed.method, url: requestUrl(receiver, target), headers, payload: renewed.payload };
    const sign = signerFor(event.provider);
    const signed = sign ? sign({ ...unsigned, nowMs: clock.epochMs() }) : headers;
    return {
      request: { ...unsigned, headers: signed, target },
      timeoutMs: setup.timeoutMs ?? retryPlanOf(provider).timeoutMs,
    };
  };
}
