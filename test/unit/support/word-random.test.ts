import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { wordRandom } from '../../../src/support/random.ts';

function first(...words: readonly string[]): string {
  const random = wordRandom(...words);
  return Array.from({ length: 4 }, () => random.int(0, 0xffffffff)).join();
}

describe('wordRandom', () => {
  it('gives the same numbers for the same words, others for others', () => {
    fc.assert(
      fc.property(fc.array(fc.string()), fc.array(fc.string()), (a, b) => {
        expect(first(...a) === first(...b)).toBe(a.join('\u0000') === b.join('\u0000'));
      }),
    );
  });

  it('keeps words apart', () => {
    expect(first('ab', 'c')).not.toBe(first('a', 'bc'));
  });

  it('draws whole ranges evenly enough', () => {
    const random = wordRandom('even');
    const counts = new Map<number, number>();
    for (let i = 0; i < 8000; i++) {
      const drawn = random.int(0, 7);
      counts.set(drawn, (counts.get(drawn) ?? 0) + 1);
    }
    expect([...counts.keys()].toSorted()).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
    expect(Math.min(...counts.values())).toBeGreaterThan(850);
  });
});
