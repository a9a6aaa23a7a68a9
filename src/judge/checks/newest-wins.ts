import { attemptLines, describeRow, effectName, eventOf } from '../describe.ts';
import type { Difference } from '../difference.ts';
import type { Broken, Case, Check } from './check.ts';

/** Whatever the order of arrival, the state is the one that the right order gives. */
export const newestWins: Check = {
  name: 'newest-wins',
  summary: 'events out of order leave the state that events in order leave',
  find: (subject) =>
    subject.evidence.plan.reorders ? subject.differences.flatMap((each) => broken(each, subject)) : [],
};

const HINT =
  'An older event was written over a newer one. Compare the version or time that the event carries with what is stored, in the statement that writes (UPDATE ... WHERE version < ?), and drop what is older.';

function broken(difference: Difference, subject: Case): readonly Broken[] {
  if (difference.kind === 'other-row') {
    const { row, columns } = difference;
    const list = (side: 'expected' | 'actual') => columns.map((each) => `${each.column}=${each[side]}`).join(' ');
    return [
      finding(difference, subject, {
        what: columns.map(({ column }) => column).join(', '),
        expected: list('expected'),
        actual: list('actual'),
        hits: Math.max(1, row.rounds.length),
      }),
    ];
  }
  if (difference.kind !== 'other-value') return [];
  const { column, expected, actual } = difference;
  return [
    finding(difference, subject, { what: column, expected: expected.join(' or ') || 'no change', actual, hits: 1 }),
  ];
}

type Detail = { readonly what: string; readonly expected: string; readonly actual: string; readonly hits: number };

function finding(
  { row }: Extract<Difference, { kind: 'other-row' | 'other-value' }>,
  { stretch }: Case,
  detail: Detail,
): Broken {
  const { what, expected, actual, hits } = detail;
  return {
    check: newestWins.name,
    title: `${effectName(row)}: ${what} not as after the same events in order`,
    event: eventOf(row, stretch)?.label,
    effect: effectName(row),
    expected,
    actual,
    evidence: [...attemptLines({ ...row, rounds: row.rounds }, stretch), describeRow(row)],
    hint: HINT,
    hits,
  };
}
