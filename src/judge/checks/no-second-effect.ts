import { plural } from '../../support/plural.ts';
import { attemptLines, describeColumns, describeRow, nounOf, shorten } from '../describe.ts';
import type { Difference } from '../difference.ts';
import { faultOf } from '../faults.ts';
import { hintForSecond } from '../hints.ts';
import type { NormalEffect } from '../normal-form.ts';
import { effectName } from '../places.ts';
import { amountTexts } from './amount-texts.ts';
import { type Broken, type Case, type Check, eventLabel, inRounds } from './check.ts';

/** More than the events delivered once each would have done: a row, a call, a mail, an amount, a changed cell. */
export const noSecondEffect: Check = {
  name: 'no-second-effect',
  summary: 'nothing happens beyond what the events delivered once each do',
  find: (subject) =>
    subject.differences
      .filter((difference) => faultOf(difference, subject) === 'second')
      .map((difference) => broken(difference, subject)),
  notes: (subject) =>
    subject.differences
      .filter((difference) => faultOf(difference, subject) === 'bookkeeping')
      .map((difference) => note(difference)),
};

function broken(difference: Difference, subject: Case): Broken {
  const { row, rounds, hits } = difference;
  const told = textsOf(difference, subject);
  const rows = [
    ...('beside' in difference ? besideLines(difference) : []),
    `${describeRow(row)}${difference.kind === 'extra' ? '   <- second effect' : ''}`,
  ];
  return {
    rounds,
    hits,
    finding: {
      check: noSecondEffect.name,
      title: told.title,
      event: eventLabel(row, subject),
      effect: effectName(row),
      expected: told.expected,
      actual: told.actual,
      evidence: [...attemptLines(subject.trail.attemptsBehind(row)), ...rows],
      hint: hintForSecond(difference, subject),
      ignore: subject.ignoreFor(row, told.columns),
    },
  };
}

function besideLines({ kind, beside }: Extract<Difference, { kind: 'extra' | 'other-row' }>): readonly string[] {
  return kind === 'extra' ? beside.map(describeRow) : [`in the baseline: ${describeRow(beside)}`];
}

type Texts = {
  readonly title: string;
  readonly expected: string;
  readonly actual: string;
  readonly columns?: readonly string[];
};

function textsOf(difference: Difference, subject: Case): Texts {
  const { row, hits } = difference;
  const name = effectName(row);
  switch (difference.kind) {
    case 'extra':
    case 'missing':
      return extraTexts(difference, subject);
    case 'amount':
      return { ...amountTexts(difference), columns: [difference.column] };
    case 'other-row': {
      const columns = difference.columns.map(({ column }) => column);
      return {
        title: `${name}: ${columns.join(', ')} not as after one delivery${inRounds(hits, subject)}`,
        expected: describeColumns(difference.columns, 'expected'),
        actual: describeColumns(difference.columns, 'actual'),
        columns,
      };
    }
    case 'other-value':
      return {
        title: `${name}.${difference.column} was changed by a delivery that should do nothing new`,
        expected: difference.expected.map(shorten).join(' or ') || 'no change',
        actual: shorten(difference.actual),
        columns: [difference.column],
      };
  }
}

function extraTexts({ row, count, expected, actual, hits }: Counted, subject: Case): Texts {
  const { rounds } = subject.trail;
  const noun = nounOf(row);
  const over = rounds > 1 ? ` in ${rounds} rounds` : '';
  return {
    title: `${effectName(row)}: ${plural(count, kindOf(row, noun))} too many${inRounds(hits, subject)}`,
    expected: `${plural(expected, noun)} ${row.kind}${over}, as when each event is delivered once`,
    actual: `${plural(actual, noun)} ${row.kind}`,
  };
}

type Counted = Extract<Difference, { kind: 'extra' | 'missing' }>;

function kindOf({ kind }: NormalEffect, noun: string): string {
  return kind === 'added' ? noun : `${kind} ${noun}`;
}

function note({ row, ...difference }: Difference): string {
  const columns = 'columns' in difference ? difference.columns.map(({ column }) => column) : [];
  const named = 'column' in difference ? [difference.column] : columns;
  return `${effectName(row)}: ${named.join(', ')} not as after one delivery, which is bookkeeping: the table has one row an event, with the event's id or hash. For example: ${describeRow(row)}`;
}
