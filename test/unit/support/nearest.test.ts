import { describe, expect, it } from 'vitest';
import { nearest } from '../../../src/support/nearest.ts';

describe('nearest', () => {
  it.each([
    ['duplicat', 'duplicate'],
    ['DUPLICATE', 'duplicate'],
    ['brust', 'burst'],
    ['out_of_order', 'out-of-order'],
    ['', undefined],
    ['chaos', undefined],
  ])('takes "%s" for %s', (word, expected) => {
    expect(nearest(word, ['duplicate', 'burst', 'out-of-order'])).toBe(expected);
  });
});
