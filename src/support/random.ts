import { randomBytes, randomFillSync, randomUUID } from 'node:crypto';
import { uniformInt } from 'pure-rand/distribution/uniformInt';
import { xoroshiro128plus, xoroshiro128plusFromState } from 'pure-rand/generator/xoroshiro128plus';
import type { RandomGenerator } from 'pure-rand/types/RandomGenerator';

/** The only gate to chance: the same seed gives the same numbers. */
export type Random = {
  /** A whole number from `min` to `max`, both included. */
  readonly int: (min: number, max: number) => number;
  readonly pick: <T>(items: readonly T[]) => T;
  /** A new array in random order. */
  readonly shuffle: <T>(items: readonly T[]) => T[];
};

/** @param words mixed with the seed, so that two uses of one seed do not see the same numbers */
export function seededRandom(seed: number, ...words: readonly string[]): Random {
  return randomOf(xoroshiro128plus(words.reduce((mixed, word) => mix(mixed, word), seed | 0)));
}

/** Numbers from words alone, with 128 bits of state from them: where two runs must not draw the same, 32 are too few. */
export function wordRandom(...words: readonly string[]): Random {
  // NUL keeps "ab" + "c" apart from "a" + "bc".
  return randomOf(xoroshiro128plusFromState(hash128(words.join('\u0000'))));
}

function randomOf(generator: RandomGenerator): Random {
  const int = (min: number, max: number) => uniformInt(generator, min, max);
  const shuffle = <T>(items: readonly T[]) => {
    const copy = [...items];
    for (let i = copy.length - 1; i > 0; i--) {
      const j = int(0, i);
      [copy[i], copy[j]] = [copy[j] as T, copy[i] as T];
    }
    return copy;
  };
  return { int, pick: (items) => items[int(0, items.length - 1)] as (typeof items)[number], shuffle };
}

/** cyrb128 by bryc (public domain): four lanes that feed each other, so that a collision in one is none in all. */
function hash128(text: string): readonly number[] {
  let [a, b, c, d] = [1779033703, 3144134277, 1013904242, 2773480762];
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    a = b ^ Math.imul(a ^ unit, 597399067);
    b = c ^ Math.imul(b ^ unit, 2869860233);
    c = d ^ Math.imul(c ^ unit, 951274213);
    d = a ^ Math.imul(d ^ unit, 2716044179);
  }
  a = Math.imul(c ^ (a >>> 18), 597399067);
  b = Math.imul(d ^ (b >>> 22), 2869860233);
  c = Math.imul(a ^ (c >>> 17), 951274213);
  d = Math.imul(b ^ (d >>> 19), 2716044179);
  return [a ^ b ^ c ^ d, b ^ a, c ^ a, d ^ a].map((lane) => lane | 0);
}

/** FNV-1a over UTF-16 units: spreads words over 32 bits; not for secrets. */
function mix(start: number, word: string): number {
  let hash = (start ^ 0x811c9dc5) | 0;
  for (let i = 0; i < word.length; i++) hash = Math.imul(hash ^ word.charCodeAt(i), 0x01000193);
  return hash | 0;
}

const ALPHABET = '23456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';

/** A short id that no other run or event has, from the system's entropy. Letters and digits that are hard to confuse. */
export function uniqueId(length: number): string {
  let id = '';
  for (let i = 0; i < length; i++) id += ALPHABET[nextByte() % ALPHABET.length];
  return id;
}

const pool = Buffer.alloc(4096);
let used = pool.length;

/** Entropy is asked for by the page: a call of its own for each id costs a capture more than its headers do. */
function nextByte(): number {
  if (used === pool.length) {
    randomFillSync(pool);
    used = 0;
  }
  return pool[used++] as number;
}

/** A seed for when the user gave none: 0 to 2^31 - 1. */
export function randomSeed(): number {
  return randomBytes(4).readUInt32BE() >>> 1;
}

/** A version 4 UUID from the system's entropy. */
export function uniqueUuid(): string {
  return randomUUID();
}
