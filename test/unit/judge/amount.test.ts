import { describe, expect, it } from 'vitest';
import { growthOf } from '../../../src/judge/amount.ts';
import type { Cell } from '../../../src/model/effect.ts';

describe('growthOf', () => {
  it.each<readonly [Cell, Cell, number | undefined]>([
    [1, 11, 10],
    [11, 1, -10],
    [0.1, 0.3, 0.2],
    [0.30000000000000004, 0.4, 0.1],
    ['9.90', '20.00', 10.1],
    ['-0.50', '0.50', 1],
    [9_007_199_254_740_993n, 9_007_199_254_740_994n, 1],
    ['900719925474099300001.25', '900719925474099300002.50', 1.25],
    [5, '7', 2],
    ['007', '008', undefined],
    [null, 10, undefined],
    [10, null, undefined],
    ['a', 'b', undefined],
    [true, false, undefined],
    ['1e3', '2e3', undefined],
    [Number.NaN, 1, undefined],
  ])('%s -> %s: %s', (before, after, growth) => {
    expect(growthOf(before, after)).toBe(growth);
  });
});
