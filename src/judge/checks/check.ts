import type { Finding } from '../../model/finding.ts';
import type { Difference } from '../difference.ts';
import type { Evidence, Stretch } from '../evidence.ts';
import type { NormalEffect } from '../normal-form.ts';

/** What a check looks at: one stretch of the trial against the baseline. */
export type Case = {
  readonly evidence: Evidence;
  readonly stretch: Stretch;
  readonly differences: readonly Difference[];
  /** True for a row of a table that has exactly one row an event and holds the event's id or hash: bookkeeping. */
  readonly isLedger: (row: NormalEffect) => boolean;
};

/** A broken check's finding, with the rounds it broke in. */
export type Broken = Finding & { readonly hits: number };

/** Evidence to findings; knows no clock, no network, no database. */
export type Check = {
  readonly name: string;
  readonly summary: string;
  readonly find: (subject: Case) => readonly Broken[];
  /** Things worth knowing that are no fault. */
  readonly notes?: ((subject: Case) => readonly string[]) | undefined;
};
