import { plural } from '../../support/plural.ts';
import { attemptLines, describeColumns, describeRow, nounOf, shorten } from '../describe.ts';
import type { Difference } from '../difference.ts';
import { faultOf } from '../faults.ts';
import { hintForLost } from '../hints.ts';
import { effectName } from '../places.ts';
import { amountTexts } from './amount-texts.ts';
import { type Broken, type Case, type Check, eventLabel, inRounds } from './check.ts';

/** Less than the events delivered once each would have done. */
export const noLostEffect: Check = {
  name: 'no-lost-effect',
  summary: 'everything happens that the events delivered once each do',
  find: (subject) =>
    subject.differences
      .filter((difference) => faultOf(difference, subject) === 'lost')
      .map((difference) => broken(difference, subject)),
};

function broken(difference: Difference, subject: Case): Broken {
  const { row, rounds, hits } = difference;
  const { columns, ...texts } = textsOf(difference, subject);
  const rows =
    difference.kind === 'missing'
      ? [`in the baseline: ${describeRow(row)}`]
      : [
          ...(difference.kind === 'other-row' ? [`in the baseline: ${describeRow(difference.beside)}`] : []),
          describeRow(row),
        ];
  return {
    rounds,
    hits,
    finding: {
      check: noLostEffect.name,
      event: eventLabel(row, subject),
      effect: effectName(row),
      ...texts,
      evidence: [...attemptLines(subject.trail.attemptsBehind(row)), ...rows],
      hint: hintForLost(difference, subject),
      ignore: subject.ignoreFor(row, columns),
    },
  };
}

function textsOf(difference: Difference, subject: Case) {
  const { row, hits } = difference;
  const name = effectName(row);
  switch (difference.kind) {
    case 'amount':
      return { ...amountTexts(difference), columns: [difference.column] };
    case 'other-row': {
      const columns = difference.columns.map(({ column }) => column);
      return {
        title: `${name}: ${columns.join(', ')} short of what the events do once each${inRounds(hits, subject)}`,
        expected: describeColumns(difference.columns, 'expected'),
        actual: describeColumns(difference.columns, 'actual'),
        columns,
      };
    }
    case 'other-value':
      return {
        title: `${name}.${difference.column} did not change as it does when each event is delivered once`,
        expected: difference.expected.map(shorten).join(' or '),
        actual: shorten(difference.actual),
        columns: [difference.column],
      };
    default:
      return { ...missingTexts(difference, subject), columns: undefined };
  }
}

const DID_NOT = { added: 'did not come', changed: 'were not changed', removed: 'were not removed' } as const;

function missingTexts(
  { row, count, expected, actual, hits }: Extract<Difference, { kind: 'missing' | 'extra' }>,
  subject: Case,
) {
  const noun = nounOf(row);
  const { rounds } = subject.trail;
  const over = rounds > 1 ? ` in ${rounds} rounds` : '';
  return {
    title: `${effectName(row)}: ${count} of ${expected} expected ${noun}s ${DID_NOT[row.kind]}${inRounds(hits, subject)}`,
    expected: `${plural(expected, noun)} ${row.kind}${over}, as when each event is delivered once`,
    actual: `${plural(actual, noun)} ${row.kind}`,
  };
}
