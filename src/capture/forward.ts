import { validateHeaderName, validateHeaderValue } from 'node:http';
import type { Outcome, OutgoingRequest, Send } from '../model/attempt.ts';
import type { Headers, RawRequest } from '../model/event.ts';
import { messageOf } from '../support/errors.ts';
import { withoutHopByHop } from './hop-by-hop.ts';
import { plainReply, type Reply } from './reply.ts';

/** Where and how deliveries are passed on. */
export type Forward = {
  readonly send: Send;
  /** The receiver's scheme, host and port. */
  readonly origin: URL;
  /** A captured request as it goes to the receiver: joined path and query, headers without those of the captured connection. */
  readonly prepare: (request: RawRequest) => Prepared;
  /** 0 waits for ever. */
  readonly timeoutMs: number;
};

export type Prepared = Pick<OutgoingRequest, 'url' | 'target' | 'headers'> & {
  /** Names of credential headers that were held back. */
  readonly withheld: readonly string[];
};

export type Forwarded = {
  readonly reply: Reply;
  /** Why the receiver gave no answer; absent when it did. */
  readonly notDelivered?: string | undefined;
  readonly withheld: readonly string[];
};

export type ForwardRequest = {
  readonly id: string;
  readonly request: RawRequest;
  /** Added behind the sender's headers. */
  readonly extra: Headers;
  readonly signal: AbortSignal;
};

/** Passes a stored request on, byte for byte, once, and brings the receiver's own answer back. Never throws. */
export async function forwardDelivery(forward: Forward, delivery: ForwardRequest): Promise<Forwarded> {
  const { request, extra, signal } = delivery;
  try {
    const { url, target, headers, withheld } = forward.prepare(request);
    const { outcome } = await forward.send(
      { method: request.method, url, target, headers: [...headers, ...extra], payload: request.payload },
      { timeoutMs: forward.timeoutMs, signal, maxBodyBytes: Number.MAX_SAFE_INTEGER },
    );
    return { ...ofOutcome(outcome, delivery), withheld };
  } catch (error) {
    // The request came from outside: whatever it did to us, the next delivery must be taken.
    return { ...noAnswer(delivery.id, 502, `not-sent: ${messageOf(error)}`), withheld: [] };
  }
}

type Answered = Pick<Forwarded, 'reply' | 'notDelivered'>;

function ofOutcome(outcome: Outcome, { id, request }: ForwardRequest): Answered {
  if (outcome.kind === 'no-response') {
    return noAnswer(id, outcome.reason === 'timeout' ? 504 : 502, `${outcome.reason}: ${outcome.detail}`);
  }
  const { status, body } = outcome;
  // The answer to HEAD tells the length of a body that does not come.
  const length = request.method === 'HEAD' ? outcome.headers.filter(([name]) => isNamed(name, 'content-length')) : [];
  const headers = [...withoutHopByHop(outcome.headers), ...length];
  if (!canBeWritten(status, headers)) return noAnswer(id, 502, `not-http: status ${status} or a header is invalid`);
  return { reply: { by: 'receiver', status, headers, body } };
}

function noAnswer(id: string, status: number, reason: string): Answered {
  const [word] = reason.split(':');
  const text = `webhook-replay stored this delivery as ${id}, but its receiver gave no answer (${word}).\n`;
  return { reply: plainReply(status, text), notDelivered: reason };
}

/** node refuses to write what its own parser would refuse to read; another parser may have let it in. */
function canBeWritten(status: number, headers: Headers): boolean {
  try {
    for (const [name, value] of headers) {
      validateHeaderName(name);
      validateHeaderValue(name, value);
    }
    return status >= 200 && status <= 999;
  } catch {
    return false;
  }
}

function isNamed(name: string, lowerCaseName: string): boolean {
  return name.toLowerCase() === lowerCaseName;
}
