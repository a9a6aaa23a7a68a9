import { InvalidArgumentError } from 'commander';

type Range = { readonly min: number; readonly max?: number | undefined };

/** Reads an option's value for commander: a whole number within these bounds. */
export function wholeNumber({ min, max = Number.MAX_SAFE_INTEGER }: Range): (text: string) => number {
  return (text) => {
    const value = /^\d{1,16}$/.test(text) ? Number(text) : Number.NaN;
    if (value >= min && value <= max) return value;
    const bounds = max === Number.MAX_SAFE_INTEGER ? `from ${min}` : `from ${min} to ${max}`;
    throw new InvalidArgumentError(`Give a whole number ${bounds}.`);
  };
}

export const readPort = wholeNumber({ min: 0, max: 65_535 });

/** What `support/random.ts` draws from. */
export const readSeed = wholeNumber({ min: 0, max: 2 ** 31 - 1 });

/** A final HTTP status. */
export const readStatus = wholeNumber({ min: 200, max: 599 });

/** Of rounds, repetitions and open deliveries. */
export const readCount = wholeNumber({ min: 1, max: 999_999 });
