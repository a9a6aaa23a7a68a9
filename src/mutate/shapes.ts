import type { Random } from '../support/random.ts';
import type { Atom } from './id-forms.ts';

/**
 * Pieces of one shape are drawn together and given out in order: the smallest old one gets the smallest new one,
 * since receivers compare ids.
 */
export type Shape = {
  readonly name: string;
  readonly compare: (a: string, b: string) => number;
  readonly draw: (random: Random) => string;
  /** Puts back what every piece keeps for itself, for example a UUID's version. */
  readonly finish: (drawn: string, old: string) => string;
};

/** The least length of a new piece, so that rounds and runs do not collide. */
const SHORTEST = 10;

/** The shape of a piece that is renewed: its alphabet and its length class. */
export function shapeOf({ kind, text }: Pick<Atom, 'kind' | 'text'>): Shape {
  switch (kind) {
    case 'uuid':
      return uuidShape(text);
    case 'local':
      return textShape('local', (random) => draw(random, LOWER, 1) + draw(random, LOWER + DIGITS, 11));
    case 'domain':
      return textShape('domain', (random) => `${draw(random, LOWER, SHORTEST)}.test`);
    case 'run':
      return runShape(text);
  }
}

const DIGITS = '0123456789';
const LOWER = 'abcdefghijklmnopqrstuvwxyz';
const UPPER = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';
/** Crockford's base 32. */
const BASE32 = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

function runShape(text: string): Shape {
  if (/^[1-9]\d*$/.test(text)) return numberShape(text);
  if (/^\d+$/.test(text)) {
    const length = Math.max(text.length, SHORTEST);
    return textShape(`zero-led ${text.length}`, (random) => `0${draw(random, DIGITS, length - 1)}`);
  }
  if (/^[0-7][0-9A-HJKMNP-TV-Z]{25}$/.test(text)) return ulidShape();
  const prefix = /^[A-Z][A-Za-z]?(?=[A-Za-z0-9]*\d)/.exec(text)?.[0];
  return prefix ? prefixedShape(prefix, text.slice(prefix.length)) : unledShape(text, SHORTEST);
}

/** `U074G5E1ANR`, `SM0123...`: a capital, or one and another letter, say what kind of thing it is. */
function prefixedShape(prefix: string, rest: string): Shape {
  const shape = unledShape(rest, SHORTEST - prefix.length);
  return { ...shape, name: `${prefix} ${shape.name}`, draw: (random) => prefix + shape.draw(random) };
}

function unledShape(text: string, shortest: number): Shape {
  const length = Math.max(text.length, shortest);
  const isHex = text.length >= 8 && /^(?=.*\d)(?=.*[A-Fa-f])(?:[0-9a-f]+|[0-9A-F]+)$/.test(text);
  return isHex ? hexShape(text, length) : mixedShape(text, length);
}

/** Bounds of what receivers keep numbers in: none may be crossed by a new id. */
const BOUNDS = [
  { lowest: 100_000_000n, highest: 999_999_999n },
  { lowest: 1_000_000_000n, highest: 2n ** 31n - 1n },
  { lowest: 2n ** 31n, highest: 9_999_999_999n },
  ...[11n, 12n, 13n, 14n, 15n].map((digits) => ({ lowest: 10n ** (digits - 1n), highest: 10n ** digits - 1n })),
  { lowest: 10n ** 15n, highest: 2n ** 53n - 1n },
  { lowest: 2n ** 53n, highest: 10n ** 16n - 1n },
  { lowest: 10n ** 16n, highest: 10n ** 17n - 1n },
  { lowest: 10n ** 17n, highest: 10n ** 18n - 1n },
  { lowest: 10n ** 18n, highest: 2n ** 63n - 1n },
  { lowest: 2n ** 63n, highest: 10n ** 19n - 1n },
  { lowest: 10n ** 19n, highest: 2n ** 64n - 1n },
];

/** Numbers below 10^9 become numbers of nine digits: still 32 bits, and rounds do not meet. Longer ones keep their digits. */
function numberShape(text: string): Shape {
  const bounds = text.length <= 20 ? BOUNDS.find(({ highest }) => BigInt(text) <= highest) : undefined;
  const { lowest, highest } = bounds ?? {
    lowest: 10n ** BigInt(text.length - 1),
    highest: 10n ** BigInt(text.length) - 1n,
  };
  return {
    name: `number from ${lowest}`,
    compare: compareNumbers,
    draw: (random) => String(lowest + drawBelow(random, highest - lowest + 1n)),
    finish: (drawn) => drawn,
  };
}

function compareNumbers(a: string, b: string): number {
  return a.length - b.length || compareTexts(a, b);
}

function compareTexts(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

/** A UUID of version 7 and a ULID begin with their time, which stays. */
function uuidShape(text: string): Shape {
  const digits = /[A-F]/.test(text) ? '0123456789ABCDEF' : '0123456789abcdef';
  const kept = text[14] === '7' ? 13 : 0;
  return {
    name: `uuid ${digits} ${kept}`,
    compare: compareTexts,
    draw: (random) => [8, 4, 4, 4, 12].map((length) => draw(random, digits, length)).join('-'),
    finish: (drawn, old) =>
      old.slice(0, kept) + drawn.slice(kept, 14) + old[14] + drawn.slice(15, 19) + old[19] + drawn.slice(20),
  };
}

function ulidShape(): Shape {
  const shape = textShape('ulid', (random) => draw(random, BASE32, 26));
  return { ...shape, finish: (drawn, old) => old.slice(0, 10) + drawn.slice(10) };
}

function hexShape(text: string, length: number): Shape {
  const digits = /[A-F]/.test(text) ? '0123456789ABCDEF' : '0123456789abcdef';
  return textShape(`hex ${digits} ${text.length}`, (random) => draw(random, digits, length));
}

/** Letters and digits of the kinds there were; the first stays of its kind, since some ids must begin with a letter. */
function mixedShape(text: string, length: number): Shape {
  const alphabet = ALPHABETS.filter(({ has }) => has.test(text)).map(({ letters }) => letters);
  const first = ALPHABETS.find(({ has }) => has.test(text[0] ?? ''))?.letters ?? LOWER;
  return textShape(
    `mixed ${alphabet.join('')} ${text.length} ${first}`,
    (random) => draw(random, first, 1) + draw(random, alphabet.join(''), length - 1),
  );
}

const ALPHABETS = [
  { has: /\d/, letters: DIGITS },
  { has: /[A-Z]/, letters: UPPER },
  { has: /[a-z]/, letters: LOWER },
];

function textShape(name: string, drawText: (random: Random) => string): Shape {
  return { name, compare: compareTexts, draw: drawText, finish: (drawn) => drawn };
}

function draw(random: Random, alphabet: string, length: number): string {
  let text = '';
  for (let i = 0; i < length; i++) text += alphabet[random.int(0, alphabet.length - 1)];
  return text;
}

function drawBelow(random: Random, limit: bigint): bigint {
  let drawn = 0n;
  // 32 bits more than needed: the bias of the remainder is below one in four billion.
  for (let bits = 1n; bits < limit << 32n; bits <<= 32n) drawn = (drawn << 32n) + BigInt(random.int(0, 0xffffffff));
  return drawn % limit;
}
