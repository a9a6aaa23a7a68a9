import {
  attemptLines,
  attemptsBehind,
  describeRow,
  effectName,
  eventOf,
  overlapped,
  timesDelivered,
} from '../describe.ts';
import type { Difference } from '../difference.ts';
import type { NormalEffect } from '../normal-form.ts';
import type { Broken, Case, Check } from './check.ts';

/** More than the events delivered once each would have done: a row, a call, a mail, an amount, a changed cell. */
export const noSecondEffect: Check = {
  name: 'no-second-effect',
  summary: 'nothing happens beyond what the events delivered once each do',
  find: (subject) => subject.differences.flatMap((difference) => broken(difference, subject)),
  notes: (subject) => subject.differences.flatMap((difference) => note(difference, subject)),
};

function broken(difference: Difference, subject: Case): readonly Broken[] {
  switch (difference.kind) {
    case 'extra':
      return [extraRows(difference, subject)];
    case 'amount':
      return Math.abs(difference.actual) > Math.abs(difference.expected) ? [amount(difference, subject)] : [];
    case 'other-row':
      return reordered(subject) || subject.isLedger(difference.row) ? [] : [otherRow(difference, subject)];
    case 'other-value':
      return reordered(subject) || subject.isLedger(difference.row) ? [] : [otherValue(difference, subject)];
    case 'missing':
      return [];
  }
}

function note(difference: Difference, subject: Case): readonly string[] {
  if (difference.kind !== 'other-row' && difference.kind !== 'other-value') return [];
  if (reordered(subject) || !subject.isLedger(difference.row)) return [];
  return [`The ledger row changed on a duplicate, which is bookkeeping: ${describeRow(difference.row)}`];
}

function reordered({ evidence }: Case): boolean {
  return evidence.plan.reorders;
}

function extraRows({ rows, beside, expected, actual }: Extract<Difference, { kind: 'extra' }>, subject: Case): Broken {
  const [row] = rows as readonly [NormalEffect];
  const rounds = subject.stretch.rounds.length;
  const hits = new Set(rows.flatMap((each) => each.rounds)).size || Math.min(rounds, rows.length);
  const over = rounds > 1 ? ` over ${rounds} rounds` : '';
  return {
    ...base(row, subject),
    title: `${effectName(row)}: ${plural(actual - expected, 'row')} too many${over}`,
    expected: `${plural(expected, 'row')} ${row.kind}${over}, as when each event is delivered once`,
    actual: `${plural(actual, 'row')} ${row.kind}`,
    evidence: [
      ...attemptLines(row, subject.stretch),
      ...beside.map(describeRow),
      `${describeRow(row)}   <- second effect`,
    ],
    hits,
  };
}

function amount(
  { row, column, expected, actual, doubled }: Extract<Difference, { kind: 'amount' }>,
  subject: Case,
): Broken {
  return {
    ...base(row, subject),
    title: `${effectName(row)}.${column} changed by ${actual} instead of ${expected}`,
    expected: `${column} changes by ${expected}`,
    actual: `it changed by ${actual}`,
    evidence: [...attemptLines(row, subject.stretch), describeRow(row)],
    ignore: ignoreOf(row, column),
    hits: doubled,
  };
}

function otherRow({ row, columns }: Extract<Difference, { kind: 'other-row' }>, subject: Case): Broken {
  const list = (side: 'expected' | 'actual') => columns.map((each) => `${each.column}=${each[side]}`).join(' ');
  return {
    ...base(row, subject),
    title: `${effectName(row)}: ${columns.map(({ column }) => column).join(', ')} not as after one delivery`,
    expected: list('expected'),
    actual: list('actual'),
    evidence: [...attemptLines(row, subject.stretch), describeRow(row)],
    ignore: columns[0] && ignoreOf(row, columns[0].column),
    hits: Math.max(1, row.rounds.length),
  };
}

function otherValue(
  { row, column, expected, actual }: Extract<Difference, { kind: 'other-value' }>,
  subject: Case,
): Broken {
  return {
    ...base(row, subject),
    title: `${effectName(row)}.${column} was changed by a delivery that should do nothing new`,
    expected: expected.length === 0 ? 'no change' : expected.join(' or '),
    actual,
    evidence: [...attemptLines(row, subject.stretch), describeRow(row)],
    ignore: ignoreOf(row, column),
    hits: 1,
  };
}

function base(row: NormalEffect, subject: Case) {
  const event = eventOf(row, subject.stretch);
  return {
    check: noSecondEffect.name,
    event: event?.label,
    effect: effectName(row),
    hint: hintFor(row, subject, timesDelivered(subject.evidence, event?.id)),
    ignore: ignoreOf(row),
  };
}

function ignoreOf({ effect, collection }: NormalEffect, column?: string): string {
  const table = collection === '' ? effect : collection;
  return column === undefined ? table : `${table}.${column.split('/')[0]}`;
}

function hintFor(row: NormalEffect, { stretch }: Case, delivered: string): string {
  if (overlapped(attemptsBehind(row, stretch))) {
    return `Delivered ${delivered}, with two requests open at the same time and both acknowledged: a check followed by an insert, without a unique key, is the usual cause. Let the database decide: a unique constraint on the event id, in the transaction of the effect.`;
  }
  if (row.kind === 'changed') {
    return `Delivered ${delivered}; a repeated delivery changed what was there already. Put the whole effect behind the guard, in one transaction with the event id.`;
  }
  return `Delivered ${delivered}, one after the other. Either nothing remembers the event, or what it remembers changes on a retry (a delivery id, a timestamp). Key on the provider's event id, in the transaction of the effect.`;
}

function plural(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
