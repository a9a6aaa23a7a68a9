import { attemptLines, describeColumns, describeRow, shorten } from '../describe.ts';
import type { Difference } from '../difference.ts';
import { faultOf } from '../faults.ts';
import { hintForOrder } from '../hints.ts';
import { effectName } from '../places.ts';
import { amountTexts } from './amount-texts.ts';
import { type Broken, type Case, type Check, eventLabel, inRounds } from './check.ts';

/** Whatever the order of arrival, the state is the one that the right order gives. */
export const newestWins: Check = {
  name: 'newest-wins',
  summary: 'events out of order leave the state that events in order leave',
  find: (subject) =>
    subject.differences
      .filter((difference) => faultOf(difference, subject) === 'order')
      .map((difference) => broken(difference, subject)),
};

function broken(difference: Difference, subject: Case): Broken {
  const { row, rounds, hits } = difference;
  const { columns, expected, actual } = valuesOf(difference);
  const baseline =
    difference.kind === 'other-row' ? [`after the events in order: ${describeRow(difference.beside)}`] : [];
  return {
    rounds,
    hits,
    finding: {
      check: newestWins.name,
      title: `${effectName(row)}: ${columns.join(', ')} not as after the same events in order${inRounds(hits, subject)}`,
      event: eventLabel(row, subject),
      effect: effectName(row),
      expected,
      actual,
      evidence: [...attemptLines(subject.trail.attemptsBehind(row)), ...baseline, describeRow(row)],
      hint: hintForOrder(difference, subject),
      ignore: subject.ignoreFor(row, columns),
    },
  };
}

function valuesOf(difference: Difference) {
  switch (difference.kind) {
    case 'other-row':
      return {
        columns: difference.columns.map(({ column }) => column),
        expected: describeColumns(difference.columns, 'expected'),
        actual: describeColumns(difference.columns, 'actual'),
      };
    case 'other-value': {
      const { column, expected, actual } = difference;
      return {
        columns: [column],
        expected: expected.map(shorten).join(' or ') || 'no change',
        actual: shorten(actual),
      };
    }
    case 'amount':
      return { columns: [difference.column], ...amountTexts(difference) };
    default:
      return { columns: [], expected: '', actual: '' };
  }
}
