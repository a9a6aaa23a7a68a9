import type { Attempt } from './attempt.ts';
import type { Finding } from './finding.ts';
import type { Plan } from './plan.ts';
import type { TrialVerdict, Verdict } from './verdict.ts';

/** How many changes the first baseline showed in one source. */
export type BaselineCount = { readonly added: number; readonly changed: number; readonly removed: number };

export type ObservedSource = { readonly id: string; readonly source: string; readonly baseline: BaselineCount };

/** Microseconds. */
export type Spread = { readonly p50: number; readonly max: number };

/** Sent against planned, milliseconds. */
export type ScheduleError = { readonly p50: number; readonly p99: number; readonly max: number };

/** One named experiment and what came of it. */
export type Trial = {
  readonly id: string;
  readonly title: string;
  readonly verdict: TrialVerdict;
  /** Why, in one sentence, unless it is a pass or a fail whose findings say it. */
  readonly reason?: string | undefined;
  /** How long it took to play; absent when it was not played. */
  readonly durationMs?: number | undefined;
  readonly rounds: number;
  /** How it was tried, where there is more than one way: how many places, and how many of them were tried. */
  readonly tried?: string | undefined;
  /** Rounds in which a check broke, where rounds can be told apart. */
  readonly hits: number;
  readonly spreadMicros?: Spread | undefined;
  readonly scheduleErrorMs?: ScheduleError | undefined;
  /** Flags that would make a skipped trial possible. */
  readonly needs: readonly string[];
  readonly warnings: readonly string[];
  /** Things worth knowing that are no fault. */
  readonly notes: readonly string[];
  readonly findings: readonly Finding[];
};

/** The note of a trial that only answers were judged for. */
export const NOT_OBSERVED = 'effects: not observed';

/** What the user asked for, as far as it takes to ask for it again. Secrets by name only, never their values. */
export type StoredRequest = {
  /** Selectors as given. */
  readonly events: readonly string[];
  /** Further words of the command line that repeat it, in order, already without secret values. */
  readonly flags: readonly string[];
};

/** Everything one command did. Reports are functions of it. */
export type Run = {
  readonly id: string;
  readonly command: 'replay' | 'send' | 'test';
  /** ISO-8601 UTC with milliseconds. */
  readonly startedAt: string;
  readonly durationMs: number;
  readonly seed: number;
  /** What makes this run's fresh ids differ from those of another run with the same seed. */
  readonly nonce: string;
  readonly request: StoredRequest;
  readonly receiver: { readonly url: string };
  /** Of a single pattern; the trials of a suite have plans of their own. */
  readonly plan?: Plan | undefined;
  readonly effects: readonly ObservedSource[];
  readonly counts: { readonly events: number; readonly attempts: number; readonly planned: number };
  readonly trials: readonly Trial[];
  readonly verdict: Verdict;
  readonly interrupted: boolean;
  /** True when skipped trials make it inconclusive. */
  readonly strict?: boolean | undefined;
  /** What a reader must know of the run as a whole, for example that it was judged again. */
  readonly notes?: readonly string[] | undefined;
  /** What was in flight when it was interrupted, a delivery each, for people. Each had a moment more to be answered. */
  readonly inFlight?: readonly string[] | undefined;
};

/** A run speaks once, as a stream of these; progress lines, NDJSON and tests listen. */
export type Progress =
  | { readonly kind: 'selected'; readonly events: number; readonly to: string }
  | { readonly kind: 'planned'; readonly plan: Plan; readonly rounds: number }
  | { readonly kind: 'phase'; readonly phase: string; readonly text: string; readonly deliveries: number }
  | {
      readonly kind: 'attempted';
      readonly attempt: Attempt;
      /** The event's name for people. */
      readonly label: string;
      /** How often the phase delivers this event. */
      readonly copies: number;
    }
  | { readonly kind: 'judged'; readonly trial: Trial }
  | { readonly kind: 'waiting'; readonly text: string }
  /** The sources are being watched until they are quiet; `settled` ends it. */
  | { readonly kind: 'settling'; readonly quietMs: number; readonly maxMs: number }
  | { readonly kind: 'settled' }
  /** The user wants to stop; what is in flight gets so long to be answered. */
  | { readonly kind: 'interrupted'; readonly inFlight: readonly string[]; readonly boundMs: number }
  | { readonly kind: 'warning'; readonly text: string }
  | { readonly kind: 'finished'; readonly run: Run };

export type Listener = (progress: Progress) => void;
