/**
 * Where a fact stands in a request, as text so that it can be data:
 * `header:X-GitHub-Event` (name in any case), `body:/data/object/id` (JSON pointer),
 * `header-part:Stripe-Signature:t` (the value of `t=` in a comma-separated header), `text:issue` (these very words).
 * Several joined by ` + ` make one fact of parts (a type's with a dot, all others' with a slash); a part that ends
 * in `?` may be missing, any other must be there.
 */
export type Location = string;

/** Locations are tried in order; the first that holds a non-empty text or number wins. */
export type Locations = readonly Location[];

/**
 * How a request is signed, as data. Placeholders in templates: `{timestamp}` `{id}` `{method}` `{url}` `{path}`
 * `{query}` `{body}` (raw bytes) `{header:Name}`; in `value` also `{signatures}`, in `each` also `{signature}`.
 */
export type SignatureScheme = {
  readonly algorithm: 'sha1' | 'sha256' | 'sha384' | 'sha512';
  /** How the secret becomes the key. `base64-after-prefix`: what follows `whsec_`, base64-decoded; the prefix may be missing. */
  readonly key: 'utf8' | 'base64' | 'hex' | 'base64-after-prefix';
  /** What is signed, for example `{timestamp}.{body}`. */
  readonly content: string;
  readonly encoding: 'hex' | 'base64' | 'base64url';
  /** The header that carries the signature. */
  readonly header: string;
  /** Other names of that header: a request that carries one of them keeps it. */
  readonly headerAliases?: readonly string[] | undefined;
  /** The header's value, for example `t={timestamp},{signatures}`. */
  readonly value: string;
  /** One signature within it, for example `v1={signature}`; one per secret. */
  readonly each: string;
  /** Between two signatures; `null` when the scheme carries only one (the first secret signs). */
  readonly join: string | null;
  readonly timestamp?:
    | {
        readonly unit: 's' | 'ms';
        /** Its own header; absent when it stands only in `value`. */
        readonly header?: string;
        /** How old a receiver lets it be. */
        readonly toleranceSeconds: number;
        /** How far ahead of the clock a receiver lets it be; `null`: the provider's own SDK does not look. Absent: as far as old. */
        readonly futureToleranceSeconds?: number | null;
      }
    | undefined;
  /** The header whose value is `{id}`. */
  readonly idHeader?: string | undefined;
};

/** How the provider repeats a delivery. Unknown facts are absent and get the assumed value, marked so. */
export type RetryFacts = {
  /** False: it never retries by itself; people redeliver by hand. */
  readonly automatic: boolean;
  /** Waits before attempt 2, 3, ... in seconds; each counts from the failure before it. */
  readonly delaysSeconds?: readonly number[] | undefined;
  readonly maxAttempts?: number | undefined;
  readonly timeoutSeconds?: number | undefined;
  /** Statuses after which it gives up although they are no 2xx. */
  readonly finalStatuses?: readonly number[] | undefined;
  /** Headers whose value is new on each retry or redelivery. */
  readonly renewedHeaders?: readonly string[] | undefined;
};

/** Facts about one sender of webhooks, as data. Sources are in `docsUrl` and in the file that states them. */
export type Provider = {
  readonly id: string;
  readonly name: string;
  readonly docsUrl: string;
  /** It is this provider when all headers of one of these groups are there. */
  readonly detectHeaders: ReadonlyArray<readonly string[]>;
  /** But not when one of these is: look-alikes send it. */
  readonly detectNotHeaders?: readonly string[] | undefined;
  /** For senders without a header of their own: it may be this one when the JSON body has all of these pointers. */
  readonly detectBody?: readonly string[] | undefined;
  readonly signature?: SignatureScheme | undefined;
  /** Older signatures that it sends as well: renewed where a request carries them, never added. */
  readonly legacySignatures?: readonly SignatureScheme[] | undefined;
  readonly locate: {
    readonly eventId: Locations;
    readonly deliveryId: Locations;
    readonly type: Locations;
    readonly occurredAt: Locations;
    readonly resource: Locations;
  };
  /** Which of its ids stay over retries and redeliveries, in words for people. */
  readonly stability: string;
  readonly retry: RetryFacts;
  /**
   * What a bare body needs to look like the real thing. Filled in: `{type}`, `{event}` (the type up to its first dot),
   * `{eventId}` (the body's, else a new one), `{uuid}` (new for each header), `{now}` (ISO), `{seconds}` (Unix time).
   */
  readonly requestHeaders: ReadonlyArray<readonly [name: string, value: string]>;
};
