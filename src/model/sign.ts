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

/** Why a signature is wrong, for programs; the reason says it to people. */
export type InvalidCause =
  /** A header that the scheme needs is not there. */
  | 'missing-header'
  /** A header is there and cannot be read. */
  | 'malformed-header'
  /** Right, but for bytes that differ from these in a way that is known. */
  | 'body-changed'
  /** Right with the secret read in another way. */
  | 'secret-form'
  /** Right with another algorithm, encoding or template. */
  | 'other-scheme'
  /** Another secret or other bytes. */
  | 'no-match';

/** Is this signature right, and if not, why. */
export type Verification =
  /** `secret` is the name of the one that signed. */
  | { readonly kind: 'valid'; readonly secret: string }
  /** The signature itself is right. A negative age lies in the future. */
  | { readonly kind: 'stale'; readonly ageSeconds: number; readonly toleranceSeconds: number; readonly secret: string }
  | { readonly kind: 'invalid'; readonly reason: string; readonly cause: InvalidCause }
  | { readonly kind: 'cannot-tell'; readonly reason: string };

/** A secret in use. `value` never leaves the process; `name` and `fingerprint` are what people see. */
export type Secret = {
  /** As it was given, for example `env:STRIPE_SECRET`; `literal` for a literal one. */
  readonly name: string;
  /** First 8 hex digits of the value's SHA-256. */
  readonly fingerprint: string;
  readonly value: string;
};
