/**
 * One value as the source gave it. Exact: integers beyond 2^53 are `bigint`, bytes are `{ bytes: hex }`,
 * nested JSON stays as its text.
 */
export type Cell = string | number | bigint | boolean | null | { readonly bytes: string };

/** One thing a source shows at a moment: a row, a counter, a call. */
export type Row = {
  /** Names the row within its collection over time: the primary key as text, a JSON pointer, a call's number. */
  readonly key: string;
  readonly cells: Readonly<Record<string, Cell>>;
};

/** A table, a JSON document, the calls received. */
export type Collection = {
  readonly name: string;
  readonly rows: readonly Row[];
  /** How many rows there are, where `rows` does not hold all of them. */
  readonly total?: number | undefined;
};

/** Everything a source shows at one moment. */
export type Snapshot = { readonly collections: readonly Collection[] };

/** One source at two moments. A row that is the same at both may be missing from both. */
export type Moments = { readonly before: Snapshot; readonly after: Snapshot };

/** Reads effects from one source. Opened before the baseline, closed at the end; never writes to what it observes. */
export type Probe = {
  /** The effect's name in reports: given by the user, else made from the source. */
  readonly name: string;
  /** The source as the user wrote it, without credentials. */
  readonly source: string;
  /** Where we listen, for a source that the receiver calls; the real port, also when the user wrote 0. */
  readonly url?: string | undefined;
  /** Reads the present state. Throws `ProbeError` when the source cannot be read. */
  readonly read: () => Promise<Snapshot>;
  /** A cheap mark that changes whenever the state may have changed; absent where only reading tells. */
  readonly version?: (() => Promise<string>) | undefined;
  /** True while something is in the middle of arriving, or of being worked on: then no quiet is to be believed. */
  readonly isBusy?: (() => boolean) | undefined;
  /** For a source too large to be read whole at each look: it keeps the earlier moment itself. An observer then reads nothing else. */
  readonly moments?:
    | {
        /** The present becomes the earlier moment. Returns as much of it as is kept in memory. */
        readonly hold: () => Promise<Snapshot>;
        /** The earlier moment and the present. Throws `ProbeError` when either cannot be read. */
        readonly compare: () => Promise<Moments>;
      }
    | undefined;
  readonly close: () => Promise<void>;
};

/** One observed change in the world. */
export type Effect = {
  /** The probe's name. */
  readonly effect: string;
  readonly collection: string;
  readonly kind: 'added' | 'changed' | 'removed';
  readonly key: string;
  /** `null` for an added row. */
  readonly before: Readonly<Record<string, Cell>> | null;
  /** `null` for a removed row. */
  readonly after: Readonly<Record<string, Cell>> | null;
};

/** What all probes saw between `begin` and the end of a `settle`. Times are on the run's clock. */
export type Observation = {
  readonly effects: readonly Effect[];
  /** When each source (by probe name) was first seen changed; absent for one that never did. */
  readonly firstChangeMs: Readonly<Record<string, number>>;
  /** When each source was last seen changed, or in the middle of something. */
  readonly lastChangeMs: Readonly<Record<string, number>>;
  /** False when `maxMs` ran out before all was quiet. */
  readonly quiet: boolean;
};

export type SettleOptions = {
  /** All sources must have been unchanged for this long. */
  readonly quietMs: number;
  /** Give up waiting for quiet after this long. */
  readonly maxMs: number;
  /** First wait, at most this long, until every source has changed since `begin`; 0 does not wait. */
  readonly firstMs: number;
  readonly signal?: AbortSignal | undefined;
};

/** All sources of a run, read at one logical moment. */
export type Observer = {
  readonly sources: ReadonlyArray<Pick<Probe, 'name' | 'source' | 'url'>>;
  /** Remembers the present state; effects are changes from here on. Throws `ProbeError` when a source cannot be read. */
  readonly begin: () => Promise<void>;
  /** Waits until quiet and returns what changed since `begin`. May be called again to wait longer. Throws `ProbeError` when a source dies. */
  readonly settle: (options: SettleOptions) => Promise<Observation>;
  readonly close: () => Promise<void>;
};
