import { formatDuration } from '../../support/duration.ts';
import type { Difference } from '../difference.ts';
import { effectName } from '../places.ts';

/** A total that grew by another amount, for people. */
export function amountTexts({ row, column, expected, actual, unit }: Extract<Difference, { kind: 'amount' }>) {
  const text = (amount: number) => (unit === 'ms' ? formatTime(amount) : String(amount));
  return {
    title: `${effectName(row)}.${column} changed by ${text(actual)} instead of ${text(expected)}`,
    expected: expected === 0 ? `${column} does not change` : `${column} changes by ${text(expected)}`,
    actual: `it changed by ${text(actual)}`,
  };
}

function formatTime(ms: number): string {
  return ms < 0 ? `-${formatDuration(-ms)}` : formatDuration(ms);
}
