import type { Attempt } from '../model/attempt.ts';
import type { Effect } from '../model/effect.ts';
import type { Plan } from '../model/plan.ts';

/** One event as it was delivered in one round. */
export type EventEvidence = {
  /** The event's id among the plan's events. */
  readonly id: string;
  /** What people call it: the provider's id of the captured event, else ours. */
  readonly label: string;
  /** Of the captured event. */
  readonly resource?: string | undefined;
  /** What a ledger row may hold of it in this round: event id, delivery id, hashes of the body in hex. */
  readonly marks: readonly string[];
};

/** A piece of text of a fresh identity and what stood there in the captured one. */
export type Renewed = { readonly old: string; readonly renewed: string };

/** One delivery of all events of a plan under identities of their own. */
export type RoundEvidence = {
  readonly round: string;
  /** Maps this round's fresh ids, also within a longer text, back to the captured ones. */
  readonly toOriginal: (text: string) => string;
  /** What `toOriginal` is made of, so that it can be made again; absent for captured ids. */
  readonly renewed?: (() => readonly Renewed[]) | undefined;
  readonly events: readonly EventEvidence[];
};

/** What happened between the moment the sources were read first and the moment they were quiet again. */
export type Stretch = {
  readonly rounds: readonly RoundEvidence[];
  readonly effects: readonly Effect[];
  readonly attempts: readonly Attempt[];
  readonly quiet: boolean;
  /** Sources that kept changing to the end, by name. */
  readonly restless?: readonly string[] | undefined;
  /** Wall clock: a value between these (with room for time zones) is a time of this run, not a fact of the event. */
  readonly fromEpochMs: number;
  readonly toEpochMs: number;
};

/** All that a judgement is made from. */
export type Evidence = {
  readonly plan: Plan;
  /** Two runs of the same events once each and in order; what differs between them is noise. */
  readonly baselines: readonly [Stretch, Stretch];
  readonly trial: readonly Stretch[];
  /** Rounds of the trial that nothing is expected of: whatever may be theirs is nobody's fault. */
  readonly aside?: readonly string[] | undefined;
  /** The captured payloads as text: a time that stands there is a fact of the event. */
  readonly payloads: readonly string[];
};
