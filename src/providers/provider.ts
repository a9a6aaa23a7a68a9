/**
 * Where a fact stands in a request, as text so that it can be data:
 * `header:X-GitHub-Event` (name in any case), `body:/data/object/id` (JSON pointer),
 * `header-part:Stripe-Signature:t` (the value of `t=` in a comma-separated header).
 */
export type Location = string;

/** Locations are tried in order; the first that holds a non-empty text or number wins. */
export type Locations = readonly Location[];

/**
 * How a request is signed, as data. Placeholders in templates: `{timestamp}` `{id}` `{method}` `{url}` `{path}`
 * `{query}` `{body}` (raw bytes) `{header:Name}`; in `value` also `{signatures}`, in `each` also `{signature}`.
 */
export type SignatureScheme = {
  readonly algorithm: 'sha1' | 'sha256' | 'sha512';
  /** How the secret becomes the key. `base64-after-prefix`: what follows `whsec_`, base64-decoded. */
  readonly key: 'utf8' | 'base64' | 'hex' | 'base64-after-prefix';
  /** What is signed, for example `{timestamp}.{body}`. */
  readonly content: string;
  readonly encoding: 'hex' | 'base64' | 'base64url';
  /** The header that carries the signature. */
  readonly header: string;
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
      }
    | undefined;
  /** The header whose value is `{id}`. */
  readonly idHeader?: string | undefined;
};

/** How the provider repeats a delivery. Unknown facts are absent and get the assumed value, marked so. */
export type RetryFacts = {
  /** False: it never retries by itself; people redeliver by hand. */
  readonly automatic: boolean;
  /** Waits before attempt 2, 3, ... in seconds. */
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
  /** It is this provider when all of these headers are there. */
  readonly detectHeaders: readonly string[];
  /** For senders without a header of their own: it may be this one when the JSON body has all of these pointers. */
  readonly detectBody?: readonly string[] | undefined;
  readonly signature?: SignatureScheme | undefined;
  readonly locate: {
    readonly eventId: Locations;
    readonly deliveryId: Locations;
    /** Several are joined with a dot: GitHub's event header and its `action`. */
    readonly type: Locations;
    readonly occurredAt: Locations;
    readonly resource: Locations;
  };
  readonly retry: RetryFacts;
  /** What a bare body needs to look like the real thing; `{type}`, `{uuid}`, `{now}` (ISO) are filled in. */
  readonly requestHeaders: ReadonlyArray<readonly [name: string, value: string]>;
};
