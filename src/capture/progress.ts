import type { CapturedAnswer, EventFacts, Mark } from '../model/event.ts';

/** One delivery that is in the corpus now. */
export type CapturedDelivery = EventFacts & {
  readonly id: string;
  readonly receivedAt: string;
  readonly method: string;
  readonly path: string;
  /** Stored bytes of the body. */
  readonly bytes: number;
  /** Bytes the sender had, when more than were stored. */
  readonly originalBytes?: number | undefined;
  readonly marks: readonly Mark[];
};

export type Rejection = {
  readonly reason: 'malformed' | 'too-large' | 'not-stored' | 'loop';
  /** What the sender is told; absent when nobody is left to be told. */
  readonly status?: number | undefined;
  /** For people, one sentence without its full stop. */
  readonly detail: string;
  /** The event, when it was stored all the same. */
  readonly id?: string | undefined;
};

export type CaptureCounts = {
  /** Everything stored, marked ones too. */
  readonly captured: number;
  /** Of these, the ones whose sender broke off. */
  readonly incomplete: number;
  /** Forwarded and answered by the receiver. */
  readonly forwarded: number;
  /** Forwarded without an answer from the receiver. */
  readonly notDelivered: number;
  readonly rejected: number;
  /** Of these, the ones the corpus could not take. */
  readonly notStored: number;
};

export type StopReason = 'interrupted' | 'exit-after' | 'idle';

/** A capture speaks as a stream of these. */
export type CaptureProgress =
  | { readonly kind: 'ready'; readonly url: string }
  /** `answer`: the status the sender is told now; absent when the receiver's comes later or nobody is left to be told. */
  | {
      readonly kind: 'captured';
      readonly marks: readonly Mark[];
      /** Its facts are read when somebody wants to know them. */
      readonly delivery: () => CapturedDelivery;
      readonly answer?: number | undefined;
    }
  | {
      readonly kind: 'forwarded';
      readonly delivery: () => CapturedDelivery;
      /** How it ended, as the corpus keeps it. */
      readonly answer: CapturedAnswer;
      /** The status written to the sender. */
      readonly told: number;
      /** Names of credential headers that were not passed on. */
      readonly withheld: readonly string[];
    }
  | ({ readonly kind: 'rejected' } & Rejection)
  | { readonly kind: 'warning'; readonly text: string }
  | { readonly kind: 'stopped'; readonly why: StopReason; readonly counts: CaptureCounts };

export type CaptureListener = (progress: CaptureProgress) => void;
