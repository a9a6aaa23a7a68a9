import type { Noise } from './noise.ts';
import type { NormalEffect } from './normal-form.ts';

/** How the effects of a plan differ from those of its events delivered once each, in order. */
export type Difference =
  /** Rows (calls, jobs, mails) beyond the baseline's, and the rightful ones they stand beside. */
  | {
      readonly kind: 'extra';
      readonly rows: readonly NormalEffect[];
      readonly beside: readonly NormalEffect[];
      readonly expected: number;
      readonly actual: number;
    }
  /** Rows of the baseline that did not come. */
  | {
      readonly kind: 'missing';
      readonly sample: NormalEffect;
      readonly expected: number;
      readonly actual: number;
      readonly rounds: readonly string[];
    }
  /** A row that came with another content. */
  | { readonly kind: 'other-row'; readonly row: NormalEffect; readonly columns: readonly ColumnDifference[] }
  /** A number that grew by another amount over all rounds. */
  | {
      readonly kind: 'amount';
      readonly row: NormalEffect;
      readonly column: string;
      readonly expected: number;
      readonly actual: number;
      readonly doubled: number;
    }
  /** A cell that ended with another value. */
  | {
      readonly kind: 'other-value';
      readonly row: NormalEffect;
      readonly column: string;
      readonly expected: readonly string[];
      readonly actual: string;
    };

export type ColumnDifference = { readonly column: string; readonly expected: string; readonly actual: string };

export type Comparison = {
  /** One baseline's effects. */
  readonly expected: readonly NormalEffect[];
  readonly actual: readonly NormalEffect[];
  /** How often the plan ran in this stretch: its effects are expected as many times. */
  readonly rounds: readonly string[];
  readonly noise: Noise;
};
