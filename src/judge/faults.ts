import type { Case } from './checks/check.ts';
import type { Difference } from './difference.ts';

/** What a difference means, given what was delivered. */
export type Fault = 'second' | 'lost' | 'order' | 'bookkeeping';

export function faultOf(difference: Difference, subject: Case): Fault {
  switch (difference.kind) {
    case 'extra':
      return 'second';
    case 'missing':
      return 'lost';
    case 'amount':
      return faultOfAmount(difference, subject);
    case 'other-row':
    case 'other-value':
      if (subject.isBookkeeping(difference)) return 'bookkeeping';
      if (subject.plan.reorders) return 'order';
      return isLess(difference) ? 'lost' : 'second';
  }
}

/** Where every event went out once, too much can only come of the order. */
function faultOfAmount({ expected, actual }: Extract<Difference, { kind: 'amount' }>, subject: Case): Fault {
  if (subject.plan.reorders && !subject.hasRepeats) return 'order';
  return Math.abs(actual) > Math.abs(expected) ? 'second' : 'lost';
}

/** Nothing but smaller numbers and values that are not there. */
function isLess(difference: Extract<Difference, { kind: 'other-row' | 'other-value' }>): boolean {
  if (difference.kind === 'other-value') return difference.actual === 'no change' || difference.actual === 'NULL';
  return difference.columns.every(({ expected, actual }) => {
    if (actual === 'NULL' || actual === '(absent)') return true;
    const [due, is] = [Number(expected), Number(actual)];
    return Math.abs(is) < Math.abs(due);
  });
}
