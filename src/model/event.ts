/** One header line as it stood on the wire. Values are latin1 text: one character is one byte. */
export type Header = readonly [name: string, value: string];

/** In order, as sent: case and repetition are part of the evidence. */
export type Headers = readonly Header[];

/** What could not be kept as the provider sent it. A marked event says so wherever it is shown. */
export type Mark =
  /** The body was over the capture limit; only its head was stored. */
  | 'truncated'
  /** The sender broke off before the body was complete. */
  | 'incomplete'
  /** The source format had lost the original bytes or headers. */
  | 'bytes-lost';

/** How one delivery ended when it was captured: what the sender was told. */
export type CapturedAnswer =
  | { readonly kind: 'answered'; readonly by: 'capture' | 'receiver'; readonly status: number; readonly tookMs: number }
  | { readonly kind: 'not-delivered'; readonly reason: string; readonly tookMs: number };

/** What provider facts read out of a request. All of it can be derived again from bytes and headers. */
export type EventFacts = {
  /** A provider's `id`, for example `stripe`; `generic` when nothing was recognised. */
  readonly provider: string;
  readonly type?: string | undefined;
  /** The provider's id of the event; the same on every retry where the provider keeps it. */
  readonly eventId?: string | undefined;
  /** The id of this one delivery, where the provider gives one. */
  readonly deliveryId?: string | undefined;
  /** When it happened, as the provider says, ISO-8601 UTC. */
  readonly occurredAt?: string | undefined;
  /** The thing the event is about, for example a payment intent's id: events of one resource have an order. */
  readonly resource?: string | undefined;
};

/** A request as it came: enough to send the very same bytes again. */
export type RawRequest = {
  readonly method: string;
  /** As on the request line, without the query; never decoded. */
  readonly path: string;
  /** Without the question mark; `null` when there was none, `''` when it was empty. */
  readonly query: string | null;
  readonly headers: Headers;
  /** Raw bytes, never a parsed object: a signature covers bytes, and re-serialising changes them. De-chunked, still content-encoded. */
  readonly payload: Uint8Array;
};

/** Something a provider told us: one delivery of an event, byte for byte. */
export type WebhookEvent = RawRequest &
  EventFacts & {
    /** Ours, short, unique in the corpus. */
    readonly id: string;
    /** ISO-8601 UTC with milliseconds. */
    readonly receivedAt: string;
    readonly tags: readonly string[];
    readonly marks: readonly Mark[];
    /** The payload's full size when `marks` has `truncated`. */
    readonly originalBytes?: number | undefined;
  };

/** What a format gave: a request, with what the format knew about it. The rest is found out from bytes and headers. */
export type FoundRequest = RawRequest & {
  readonly id?: string | undefined;
  readonly receivedAt?: string | undefined;
  /** Facts that the format states; the provider's own are read from the request. */
  readonly facts?: Partial<EventFacts> | undefined;
  readonly tags: readonly string[];
  readonly marks: readonly Mark[];
  readonly originalBytes?: number | undefined;
  readonly answer?: CapturedAnswer | undefined;
};
