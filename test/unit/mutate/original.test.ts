import { describe, expect, it } from 'vitest';
import { createToOriginal } from '../../../src/mutate/original.ts';

const toOriginal = createToOriginal(() => [
  { old: '7', renewed: '483920174' },
  { old: '788032119674292922', renewed: '788132119674292922' },
  { old: '1AbC', renewed: '9XyZaBcDeF' },
  { old: '0f8fad5b-d9cb-469f-a165-70867728950e', renewed: '1f8fad5b-d9cb-469f-a165-70867728950e' },
]);

function asDouble(digits: string): string {
  return BigInt(Number(digits)).toString();
}

describe('toOriginal', () => {
  it.each([
    ['a whole text', '483920174', '7'],
    ['an id in a longer text', 'order-483920174: evt_9XyZaBcDeF.', 'order-7: evt_1AbC.'],
    ['an id stuck to letters', 'order483920174x', 'order7x'],
    ['several next to each other', 'evt_9XyZaBcDeF9XyZaBcDeF', 'evt_1AbC1AbC'],
    ['lower case', 'evt_9xyzabcdef', 'evt_1abc'],
    ['upper case', 'EVT_9XYZABCDEF', 'EVT_1ABC'],
    ['a UUID without dashes', '1f8fad5bd9cb469fa16570867728950e', '0f8fad5bd9cb469fa16570867728950e'],
    ['a UUID in capitals', '1F8FAD5B-D9CB-469F-A165-70867728950E', '0F8FAD5B-D9CB-469F-A165-70867728950E'],
    ['a number that went through a double', String(Number('788132119674292922')), String(Number('788032119674292922'))],
    ['a double kept as a 64-bit integer', asDouble('788132119674292922'), asDouble('788032119674292922')],
    ['a number behind a percent escape', '%22483920174%22', '%227%22'],
  ])('puts back %s', (_, text, expected) => {
    expect(toOriginal(text)).toBe(expected);
  });

  it.each(['1483920174', '4839201741', '', 'short', '9XyZaBcDe', 'nothing to see in this longer text'])(
    'leaves "%s" alone',
    (text) => {
      expect(toOriginal(text)).toBe(text);
    },
  );
});
