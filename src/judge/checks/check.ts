import type { Finding } from '../../model/finding.ts';
import type { Plan } from '../../model/plan.ts';
import type { Difference } from '../difference.ts';
import type { IgnoreFor } from '../ignore-for.ts';
import type { NormalEffect } from '../normal-form.ts';
import type { Trail } from '../trail.ts';

/** What a check looks at: the whole trial against the baseline. */
export type Case = {
  readonly plan: Plan;
  readonly differences: readonly Difference[];
  readonly trail: Trail;
  /** True when some event went out more than once, by plan or as a retry. */
  readonly hasRepeats: boolean;
  /** True for a change in a row of a ledger that tells nothing of the event's own content. */
  readonly isBookkeeping: (difference: Difference) => boolean;
  /** True when a ledger holds a row of that round. */
  readonly ledgerKnows: (round: string) => boolean;
  readonly ignoreFor: IgnoreFor;
};

/** A broken check's finding, with the rounds it broke in: by name where known, and by number. */
export type Broken = { readonly finding: Finding; readonly rounds: readonly string[]; readonly hits: number };

/** Evidence to findings; knows no clock, no network, no database. */
export type Check = {
  readonly name: string;
  readonly summary: string;
  readonly find: (subject: Case) => readonly Broken[];
  /** Things worth knowing that are no fault. */
  readonly notes?: ((subject: Case) => readonly string[]) | undefined;
};

/** `in 3 of 20 rounds`, where there are several. */
export function inRounds(hits: number, { trail }: Case): string {
  return trail.rounds > 1 ? ` in ${hits} of ${trail.rounds} rounds` : '';
}

/** What an effect is called where it is, and the event it belongs to. */
export function eventLabel(row: NormalEffect, { trail }: Case): string | undefined {
  return trail.eventOf(row)?.label;
}
