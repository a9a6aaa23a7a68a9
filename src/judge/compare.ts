import { compareAmounts } from './compare-amounts.ts';
import { compareRows } from './compare-rows.ts';
import type { Comparison, Difference } from './difference.ts';

/** What the plan did against what its events do when delivered once each, in order. */
export function compare(comparison: Comparison): readonly Difference[] {
  return [...compareRows(comparison), ...compareAmounts(comparison)];
}
