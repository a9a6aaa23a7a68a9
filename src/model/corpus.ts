import type { Attempt } from './attempt.ts';
import type { CapturedAnswer, EventFacts, Mark, RawRequest, WebhookEvent } from './event.ts';
import type { Run } from './run.ts';
import type { TrialVerdict } from './verdict.ts';

/** An event on its way into the corpus. */
export type NewEvent = RawRequest &
  EventFacts & {
    /** Kept when it is free in the corpus; else, or when absent, a new one is made. */
    readonly id?: string | undefined;
    readonly receivedAt: string;
    readonly tags: readonly string[];
    readonly marks: readonly Mark[];
    /** The full size when `marks` has `truncated`. */
    readonly originalBytes?: number | undefined;
    /** Where it is known already: an import of an export. */
    readonly answer?: CapturedAnswer | undefined;
    /** True when `receivedAt` was said by the imported format, and is not just the time of the import. */
    readonly dated?: boolean | undefined;
    /**
     * `capture`: every delivery is kept, identical retries too.
     * `import`: a request whose every byte (and id and time, where the format carries them) is there already is not added again.
     */
    readonly origin: 'capture' | 'import';
  };

/** A delivery as it came over the wire; what its provider's facts tell of it has not been read yet. */
export type Arrival = RawRequest & {
  readonly receivedAt: string;
  /** Given by the user; else it will be detected. */
  readonly provider?: string | undefined;
  readonly tags: readonly string[];
  readonly marks: readonly Mark[];
  /** The full size when `marks` has `truncated`. */
  readonly originalBytes?: number | undefined;
};

export type Added = { readonly id: string; readonly kept: 'new' | 'already-there' };

/** Globs are case-sensitive and `*` matches anything. All conditions given must hold; a list matches when one of it does. */
export type EventFilter = {
  readonly types?: readonly string[] | undefined;
  readonly providers?: readonly string[] | undefined;
  readonly tags?: readonly string[] | undefined;
  readonly resource?: string | undefined;
  /** ISO-8601, inclusive. */
  readonly since?: string | undefined;
  /** ISO-8601, exclusive. */
  readonly until?: string | undefined;
};

export type Page = {
  readonly limit: number;
  readonly order: 'newest-first' | 'oldest-first';
  /** Continue behind this event's id. */
  readonly after?: string | undefined;
};

/** An event without its bytes, for lists. */
export type EventSummary = EventFacts & {
  readonly id: string;
  readonly receivedAt: string;
  readonly method: string;
  readonly path: string;
  readonly tags: readonly string[];
  readonly marks: readonly Mark[];
  readonly payloadBytes: number;
  readonly originalBytes?: number | undefined;
  readonly answer?: CapturedAnswer | undefined;
};

/** A run in a list. */
export type RunSummary = Pick<
  Run,
  'id' | 'command' | 'startedAt' | 'durationMs' | 'seed' | 'verdict' | 'interrupted' | 'receiver' | 'counts'
> & {
  readonly pattern?: string | undefined;
  /** One for each trial, in their order. */
  readonly verdicts: readonly TrialVerdict[];
};

/** A part of what a run was judged by: plain JSON data with a name that is unique in the run. Its form is the business of the run. */
export type EvidencePart = { readonly name: string; readonly document: unknown };

/** What a capture asks of the corpus; the disk is waited for elsewhere, so that the thread that asks goes on reading requests. */
export type ArrivalDesk = {
  readonly [Call in 'receive' | 'index' | 'answered']: (
    ...args: Parameters<Corpus[Call]>
  ) => Promise<ReturnType<Corpus[Call]>>;
};

/** The SQLite file that keeps events and runs. Synchronous: SQLite is. */
export type Corpus = {
  /** The file's path. */
  readonly file: string;
  /** All in one transaction, committed to disk when this returns. */
  readonly add: (events: readonly NewEvent[]) => readonly Added[];
  /**
   * Keeps deliveries as fast as a disk can: all in one transaction, committed when this returns. They are no events yet,
   * until `index` has read their facts; whoever opens the corpus next does that first. Returns their ids.
   */
  readonly receive: (arrivals: readonly Arrival[]) => readonly string[];
  /** Makes events of the oldest `limit` arrivals; returns whether there may be more. */
  readonly index: (limit: number) => boolean;
  /** By our id, or by a provider's event id (then its newest delivery). */
  readonly get: (id: string) => WebhookEvent | undefined;
  readonly list: (filter: EventFilter, page: Page) => readonly EventSummary[];
  readonly events: (filter: EventFilter, page: Page) => readonly WebhookEvent[];
  readonly count: (filter: EventFilter) => number;
  readonly answered: (answers: readonly { readonly id: string; readonly answer: CapturedAnswer }[]) => void;
  readonly answerOf: (id: string) => CapturedAnswer | undefined;
  readonly tag: (
    ids: readonly string[],
    change: { readonly add: readonly string[]; readonly remove: readonly string[] },
  ) => void;
  /** Removes these events for good; returns how many there were. Runs that used them stay. */
  readonly remove: (ids: readonly string[]) => number;
  /** Writes a batch of attempts of a run that goes on. */
  readonly addAttempts: (run: string, attempts: readonly Attempt[]) => void;
  /** The evidence holds rows of the user's database: it stays in the corpus. What was kept of the same run before is gone. */
  readonly saveRun: (run: Run, evidence?: readonly EvidencePart[]) => void;
  readonly run: (id: string) => Run | undefined;
  /** Empty for a run that kept none. */
  readonly evidence: (run: string) => readonly EvidencePart[];
  /** Newest first. */
  readonly runs: (limit: number) => readonly RunSummary[];
  readonly attempts: (run: string) => readonly Attempt[];
  readonly close: () => void;
};
