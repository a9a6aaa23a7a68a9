import { describe, expect, it } from 'vitest';
import { agree, disagreements, judge } from '../../../src/judge/judge.ts';
import type { Cell } from '../../../src/model/effect.ts';
import { changed, inserted, type Round, type Story, sqlTime, tell } from './story.ts';

function baselines(story: Story) {
  const { baselines, payloads } = tell(story);
  const [first, second] = baselines;
  return { agree: agree(first, second, payloads), disagreements: disagreements(first, second, payloads) };
}

function total(before: Cell, after: Cell, at: Cell = null) {
  return changed('totals', 'eur', [
    { total: before, at: 0 },
    { total: after, at: at ?? 0 },
  ]);
}

describe('two baselines', () => {
  it('agree when they differ in ids, tokens and times only', () => {
    const once = (round: Round) => [
      inserted(round, 'orders', { ref: round.id('order_1'), token: round.token(), at: sqlTime(round.nowMs) }),
      total(10 * round.index, 10 * round.index + 10, round.nowMs),
    ];
    expect(baselines({ once })).toEqual({ agree: true, disagreements: [] });
  });

  it('do not agree when one changed more rows, and the place is named', () => {
    const once = (round: Round) => [
      inserted(round, 'shop:orders', { ref: round.id('order_1') }),
      ...(round.index === 0 ? [inserted(round, 'shop:customers', { id: round.id('cus_1') })] : []),
    ];
    expect(baselines({ once })).toEqual({
      agree: false,
      disagreements: ['shop.customers: 1 added, then 0'],
    });
  });

  it('do not agree when a total began with nothing, but can be compared', () => {
    const once = (round: Round) => [
      round.index === 0 ? total(null, 10) : total(10 * round.index, 10 * round.index + 10),
    ];
    expect(baselines({ once })).toEqual({ agree: false, disagreements: [] });
  });

  it('take no notice of rows in which only times moved', () => {
    const once = (round: Round) => [
      inserted(round, 'orders', { ref: round.id('order_1') }),
      ...(round.index === 0
        ? [
            changed('workers', 'a', [
              { seen: sqlTime(round.nowMs - 5000), n: 1 },
              { seen: sqlTime(round.nowMs), n: 1 },
            ]),
          ]
        : []),
    ];
    expect(baselines({ once })).toEqual({ agree: true, disagreements: [] });
  });

  it('make a total that differs between them noise, and nothing else', () => {
    const growth = [10, 14, 30];
    const once = (round: Round) => [total(0, growth[round.index] ?? 0), inserted(round, 'orders', { n: 1 })];
    expect(judge(tell({ once })).verdict).toBe('pass');
    expect(judge(tell({ once, trial: (round) => [...once(round), inserted(round, 'orders', { n: 1 })] })).verdict).toBe(
      'fail',
    );
  });
});
