import type { Evidence, Stretch } from '../judge/evidence.ts';
import type { Plan } from '../model/plan.ts';
import type { Death } from '../model/receiver-control.ts';
import type { Act } from '../suite/trial-definition.ts';

/** All that the verdict of a trial is made from. What is the same object in several trials is kept once. */
export type TrialEvidence = EffectsEvidence | AnswersEvidence | ActsEvidence | ContactEvidence;

/** A pattern against its baselines. */
export type EffectsEvidence = Evidence & {
  readonly kind: 'effects';
  /** Why a pass would not have been earned. */
  readonly doubts: readonly string[];
};

/** A pattern without a source: all attempts of the run, with their bodies, are the evidence. */
export type AnswersEvidence = { readonly kind: 'answers'; readonly doubts: readonly string[] };

/** A trial of the suite, as far as it was played. */
export type ActsEvidence = { readonly kind: 'acts'; readonly acts: readonly ActEvidence[] };

export type ActEvidence = Pick<Act, 'effects' | 'answers' | 'hint' | 'latency' | 'name' | 'only'> & {
  readonly plan: Plan;
  readonly stretch: Stretch;
  /** What a gap is compared with: the events before it, and all but the last. */
  readonly references?: readonly [Stretch, Stretch] | undefined;
  /** Rounds that nothing is expected of. */
  readonly aside?: readonly string[] | undefined;
  /** Absent: effects were not observed. */
  readonly baselines?: readonly [Stretch, Stretch] | undefined;
  readonly payloads: readonly string[];
  /** The beginnings of answers that were no 2xx, by the attempt's number; not all are kept. */
  readonly bodies: ReadonlyMap<number, string>;
  readonly doubts: readonly string[];
  /** Set when the receiver ended by itself. */
  readonly death?: Death | undefined;
};

/** The first delivery of a run, which was answered 5xx, and its retries. */
export type ContactEvidence = {
  readonly kind: 'first-contact';
  readonly first: Stretch;
  readonly retried: Stretch;
  readonly payloads: readonly string[];
};
