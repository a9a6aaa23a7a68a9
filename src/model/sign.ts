import type { Headers } from './event.ts';

/** What a signature may cover. Times are epoch milliseconds. */
export type SignInput = {
  readonly method: string;
  readonly url: URL;
  readonly headers: Headers;
  readonly payload: Uint8Array;
  readonly nowMs: number;
};

/** Returns the headers with the signature (and its timestamp and id where the scheme has them) put in place of the old ones, in place. */
export type Sign = (input: SignInput) => Headers;

/** Is this signature right, and if not, why. */
export type Verification =
  | { readonly kind: 'valid'; readonly secret: string }
  | { readonly kind: 'stale'; readonly ageSeconds: number; readonly toleranceSeconds: number }
  | { readonly kind: 'invalid'; readonly reason: string }
  | { readonly kind: 'cannot-tell'; readonly reason: string };

/** A secret in use. `value` never leaves the process; `name` and `fingerprint` are what people see. */
export type Secret = {
  /** As it was given, for example `env:STRIPE_SECRET`; `literal` for a literal one. */
  readonly name: string;
  /** First 8 hex digits of the value's SHA-256. */
  readonly fingerprint: string;
  readonly value: string;
};
