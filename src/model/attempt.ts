import type { Headers } from './event.ts';

/** A request ready to be written to a socket: what is sent is exactly this. */
export type OutgoingRequest = {
  readonly method: string;
  /** Absolute, with the receiver's origin, path and query. */
  readonly url: URL;
  /** The request target as it goes on the request line: path and query, never normalised. */
  readonly target: string;
  /** Without Host, Connection, Content-Length and Transfer-Encoding unless the user set them by hand; the sender adds those. */
  readonly headers: Headers;
  readonly payload: Uint8Array;
};

/** What came of one exchange. */
export type Outcome =
  | {
      readonly kind: 'response';
      readonly status: number;
      readonly headers: Headers;
      /** The answer's first bytes, at most `maxBodyBytes`. */
      readonly body: Uint8Array;
    }
  /** The receiver may or may not have acted. A check must allow for both, except for `refused`: nothing was sent. */
  | {
      readonly kind: 'no-response';
      readonly reason: 'refused' | 'timeout' | 'reset' | 'dns' | 'tls' | 'not-http' | 'aborted';
      /** For people: addresses tried, the system's error. */
      readonly detail: string;
    };

/** Milliseconds on the run's clock, 0 at the plan's start. */
export type AttemptTimes = {
  /** When the plan meant it to go out. */
  readonly plannedMs: number;
  /** When its last byte was handed to the socket. */
  readonly sentMs: number;
  /** When the answer was complete, or was given up. */
  readonly doneMs: number;
};

/** One real HTTP exchange. */
export type Attempt = {
  /** Counts attempts over the whole run, from 1, in the order sent. */
  readonly number: number;
  readonly step: string;
  /** The event's id among the plan's events. */
  readonly event: string;
  /** Which repetition of the plan with identities of its own: `baseline-1`, `baseline-2`, `round-1`, ... */
  readonly round: string;
  readonly copy: number;
  /** 1 for the first attempt of a delivery, 2 for its first retry, ... */
  readonly attempt: number;
  readonly group?: string | undefined;
  readonly times: AttemptTimes;
  readonly outcome: Outcome;
};

/** One exchange, started at once. Never throws for what the network or the receiver does. */
export type Send = (request: OutgoingRequest, options: SendOptions) => Promise<SentOutcome>;

export type SendOptions = {
  /** 0 waits for ever. */
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
  /** How much of the answer's body to keep; the rest is read and dropped. Default 64 KiB. */
  readonly maxBodyBytes?: number | undefined;
  /** Break the connection as soon as the body is out: the receiver has all of it and nobody to answer. The outcome is `reset`. */
  readonly cutAfterBody?: boolean | undefined;
  /** Called when the first byte of the answer is here, before anything else is done with it. Only where each request has a socket of its own. */
  readonly onFirstByte?: (() => void) | undefined;
};

export type SentOutcome = { readonly outcome: Outcome; readonly sentMs: number; readonly doneMs: number };

/** Several exchanges whose last bytes go out in one turn of the event loop. */
export type SendTogether = (requests: readonly OutgoingRequest[], options: SendOptions) => Promise<TogetherOutcome>;

export type TogetherOutcome = {
  readonly sent: readonly SentOutcome[];
  /** From the first to the last released byte, measured at our release. */
  readonly spreadMicros: number;
};

/** True for the answer that every provider takes as "received". */
export function isAcknowledged(outcome: Outcome): boolean {
  return outcome.kind === 'response' && outcome.status >= 200 && outcome.status < 300;
}
