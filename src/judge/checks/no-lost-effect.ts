import { attemptLines, describeRow, effectName, eventOf } from '../describe.ts';
import type { Difference } from '../difference.ts';
import type { Broken, Case, Check } from './check.ts';

/** Less than the events delivered once each would have done, although they were acknowledged in the end. */
export const noLostEffect: Check = {
  name: 'no-lost-effect',
  summary: 'everything happens that the events delivered once each do',
  find: (subject) => subject.differences.flatMap((difference) => broken(difference, subject)),
};

function broken(difference: Difference, subject: Case): readonly Broken[] {
  if (difference.kind === 'missing') return [missing(difference, subject)];
  if (difference.kind !== 'amount' || Math.abs(difference.actual) >= Math.abs(difference.expected)) return [];
  const { row, column, expected, actual, doubled } = difference;
  return [
    {
      check: noLostEffect.name,
      title: `${effectName(row)}.${column} changed by ${actual} instead of ${expected}`,
      event: eventOf(row, subject.stretch)?.label,
      effect: effectName(row),
      expected: `${column} changes by ${expected}`,
      actual: `it changed by ${actual}`,
      evidence: [...attemptLines(row, subject.stretch), describeRow(row)],
      hint: 'Two deliveries that read, add and write at the same time lose one of the two. Add in the database (SET total = total + ?), or lock the row.',
      hits: doubled,
    },
  ];
}

function missing(
  { sample, expected, actual, rounds }: Extract<Difference, { kind: 'missing' }>,
  { stretch }: Case,
): Broken {
  const inRound = { ...sample, rounds: rounds.slice(0, 1) };
  return {
    check: noLostEffect.name,
    title: `${effectName(sample)}: ${expected - actual} of ${expected} expected rows did not come`,
    event: eventOf(inRound, stretch)?.label,
    effect: effectName(sample),
    expected: `${expected} ${sample.kind}, as when each event is delivered once`,
    actual: `${actual}`,
    evidence: [...attemptLines(inRound, stretch), `in the baseline: ${describeRow(sample)}`],
    hint: 'The deliveries were acknowledged, yet the effect is not there. A guard that is committed before its effect, or an answer given before the work is stored, loses it.',
    hits: Math.max(1, rounds.length),
  };
}
