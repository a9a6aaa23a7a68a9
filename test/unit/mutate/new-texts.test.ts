import { expect, it } from 'vitest';
import { createDraws } from '../../../src/mutate/new-texts.ts';
import type { Shape } from '../../../src/mutate/shapes.ts';

/** Only two digits, so that chance meets everything. */
function tinyShape(name: string): Shape {
  return {
    name,
    compare: (a, b) => Number(a) - Number(b),
    draw: (random) => String(random.int(10, 99)),
    finish: (drawn) => drawn,
  };
}

it('never gives out a text twice, nor one that stood there, whatever the shape', () => {
  const units = Array.from({ length: 40 }, (_, index) => {
    return { index, text: String(10 + index), shape: tinyShape(index % 2 ? 'odd' : 'even'), strong: true };
  });
  const draw = createDraws({ units, taken: new Set(units.map(({ text }) => text)) });
  for (const round of ['a', 'b', 'c', 'd']) {
    const texts = draw('7', 'nonce', round);
    expect(new Set(texts).size).toBe(40);
    expect(texts.every((text) => Number(text) >= 50)).toBe(true);
    const even = texts.filter((_, index) => index % 2 === 0).map(Number);
    expect(even).toEqual(even.toSorted((a, b) => a - b));
  }
});
