import { describe, expect, it } from 'vitest';
import { judge } from '../../../src/judge/judge.ts';
import type { Effect } from '../../../src/model/effect.ts';
import { added, changed, type Round, tell } from './story.ts';

const ASIDE = 'round-3';

/** Two rounds that are judged and one that nothing is expected of. */
function verdictOf(trial: (round: Round) => readonly Effect[], shared?: (rounds: number) => readonly Effect[]) {
  const once = (round: Round) => [order(round, 'paid')];
  const told = tell({ once, trial, rounds: 3, copies: 1, ...(shared ? { shared } : {}) });
  const { verdict, findings } = judge({ ...told, aside: [ASIDE] });
  return [verdict, ...findings.map(({ check }) => check)];
}

function order(round: Round, status: string) {
  return added('orders', round.id('order_1'), { reference: round.id('order_1'), status });
}

const total = (rounds: number, by: number) => [changed('totals', 'all', [{ amount: 0 }, { amount: rounds * by }])];

describe('a round that nothing is expected of', () => {
  it.each([
    ['has no effect', () => []],
    ['has another effect', (round: Round) => [order(round, 'odd')]],
    ['has too many effects', (round: Round) => [order(round, 'paid'), order(round, 'paid')]],
    ['has an effect that names nobody', () => [added('orders', 'x', { reference: '?', status: 'odd' })]],
  ] as const)('changes no verdict when it %s', (_what, its) => {
    expect(verdictOf((round) => (round.name === ASIDE ? its(round) : [order(round, 'paid')]))).toEqual(['pass']);
  });

  it('takes nothing from the others: what they lose is lost', () => {
    expect(verdictOf((round) => (round.name === 'round-2' ? [] : [order(round, 'paid')]))).toEqual([
      'fail',
      'no-lost-effect',
    ]);
  });

  it('does not hide what another does twice', () => {
    const twice = (round: Round) =>
      round.name === 'round-1' ? [order(round, 'paid'), order(round, 'paid')] : [order(round, 'paid')];
    expect(verdictOf(twice)[0]).toBe('fail');
  });

  it.each([
    ['its share', 3, ['pass']],
    ['nothing', 2, ['pass']],
    ['nothing, and another neither,', 1, ['fail', 'no-lost-effect']],
  ] as const)('may add %s to a total of all', (_what, shares, expected) => {
    const shared = (rounds: number) => total(rounds === 1 ? 1 : shares, 10);
    expect(verdictOf((round) => [order(round, 'paid')], shared)).toEqual(expected);
  });
});
