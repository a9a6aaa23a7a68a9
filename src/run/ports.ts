import type { IgnoreRule } from '../judge/ignore.ts';
import type { Attempt } from '../model/attempt.ts';
import type { Corpus } from '../model/corpus.ts';
import type { Observer } from '../model/effect.ts';
import type { Header, WebhookEvent } from '../model/event.ts';
import type { Composed, Execute } from '../model/execution.ts';
import type { Delivery } from '../model/plan.ts';
import type { ReceiverControl } from '../model/receiver-control.ts';
import type { Listener, StoredRequest } from '../model/run.ts';
import type { TrialDefinition } from '../suite/trial-definition.ts';
import type { Clock } from '../support/clock.ts';

/** What every run that delivers was asked for, read and checked. Durations are milliseconds. */
export type RunRequest = {
  /** Oldest first. */
  readonly events: readonly WebhookEvent[];
  readonly seed: number;
  readonly nonce: string;
  readonly concurrency: number;
  /** `captured`: the events go out with their own ids. */
  readonly identities: 'fresh' | 'captured';
  /** JSON pointers that correct the guess of what is an id. */
  readonly freshPointers: readonly string[];
  readonly keepPointers: readonly string[];
  readonly ignore: readonly IgnoreRule[];
  readonly settleMs: number;
  readonly settleMaxMs: number;
  readonly settleFirstMs: number;
  /** More than this between planned and actual sending (99th percentile) makes the run inconclusive. */
  readonly maxSkewMs: number;
  /** Named when the receiver refuses: `env:STRIPE_SECRET (fingerprint 1a2b3c4d)`; absent when nothing is signed. */
  readonly signedWith?: string | undefined;
  readonly to: string;
  readonly stored: StoredRequest;
};

/** Chosen events with a pattern. */
export type ReplayRequest = RunRequest & {
  readonly pattern: string;
  readonly ordered: boolean;
  readonly speed: number;
  /** How often the pattern runs with identities of its own; absent: what the pattern needs. */
  readonly rounds?: number | undefined;
};

/** The suite against a receiver. */
export type TestRequest = RunRequest & {
  readonly trials: readonly TrialDefinition[];
  /** Named in trials that could not be played. */
  readonly hasSecret: boolean;
  /** How long the provider waits for an answer. */
  readonly timeoutMs: number;
  /** Stop behind the first trial that fails. */
  readonly bail: boolean;
  /** Skipped trials make the run inconclusive. */
  readonly strict: boolean;
  /** How often the whole suite is played, each time with other identities. */
  readonly repeat: number;
  /** Whether the receiver's process is ours, and whether we stand in front of a dependency of it. */
  readonly hasProcess: boolean;
  readonly hasInterception: boolean;
  /** Only these boundaries, like `DATABASE_URL:after:2`; all when empty. */
  readonly crashAt: readonly string[];
};

/** Which attempt of which event is to be made ready for sending. */
export type Sending = {
  /** With the round's ids. */
  readonly event: WebhookEvent;
  /** 1 for the first delivery of the event, counting its duplicates. */
  readonly copy: number;
  readonly attempt: number;
  /** True when the provider would renew what it renews on a retry. */
  readonly isRedelivery: boolean;
} & Pick<Delivery, 'change' | 'forgery' | 'abandon'>;

/** Everything that touches the world. */
export type RunPorts = {
  readonly execute: Execute;
  /** Signs; called right before each attempt. */
  readonly compose: (sending: Sending) => Composed;
  /** Absent without `--effect`: then only answers are judged. */
  readonly observer?: Observer | undefined;
  /** Absent when its process is not ours. */
  readonly receiver?: ReceiverControl | undefined;
  /** `--reset`: clears the receiver's state. */
  readonly reset?: (() => Promise<void>) | undefined;
  /** `--setup`: creates what the events refer to; gets old id to new id. */
  readonly setup?: ((identities: ReadonlyMap<string, string>) => Promise<void>) | undefined;
  readonly clock: Clock;
  readonly listen: Listener;
  /** Absent when the run is not to be kept. */
  readonly store?: Pick<Corpus, 'addAttempts' | 'saveRun' | 'get'> | undefined;
  readonly signal: AbortSignal;
};

/** An attempt without its body, and of the headers only where a redirect leads: what a judgement needs, small enough to keep many. */
export function withoutBody(attempt: Attempt): Attempt {
  return attempt.outcome.kind === 'response'
    ? {
        ...attempt,
        outcome: { ...attempt.outcome, headers: attempt.outcome.headers.filter(isLocation), body: new Uint8Array() },
      }
    : attempt;
}

function isLocation([name]: Header): boolean {
  return name.toLowerCase() === 'location';
}
