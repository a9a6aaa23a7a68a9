import type { NormalEffect } from './normal-form.ts';

/** How the effects of a plan differ from those of its events delivered once each, in order; one for each place and kind of fault. */
export type Difference =
  /** Rows (calls, jobs, mails) beyond the baseline's, and the rightful ones that the first stands beside. */
  | (Broken & {
      readonly kind: 'extra';
      readonly row: NormalEffect;
      readonly beside: readonly NormalEffect[];
      readonly count: number;
      readonly expected: number;
      readonly actual: number;
    })
  /** Rows of the baseline that did not come; `row` is the baseline's. */
  | (Broken & {
      readonly kind: 'missing';
      readonly row: NormalEffect;
      readonly count: number;
      readonly expected: number;
      readonly actual: number;
    })
  /** A row that came with another content. */
  | (Broken & {
      readonly kind: 'other-row';
      readonly row: NormalEffect;
      readonly beside: NormalEffect;
      readonly columns: readonly ColumnDifference[];
    })
  /** A number in a shared row that grew by another amount over all rounds. */
  | (Broken & {
      readonly kind: 'amount';
      readonly row: NormalEffect;
      readonly column: string;
      readonly expected: number;
      readonly actual: number;
      readonly unit?: 'ms' | undefined;
    })
  /** A cell of a shared row that ended with another value; no expected value means that it should not have changed. */
  | (Broken & {
      readonly kind: 'other-value';
      readonly row: NormalEffect;
      readonly column: string;
      readonly expected: readonly string[];
      readonly actual: string;
    });

export type Broken = {
  /** The rounds it broke in, as far as the rows tell. */
  readonly rounds: readonly string[];
  /** In how many rounds it broke, as far as can be counted. */
  readonly hits: number;
};

export type ColumnDifference = { readonly column: string; readonly expected: string; readonly actual: string };
