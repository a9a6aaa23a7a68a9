import { InvalidArgumentError } from 'commander';

export function wholeNumber(text: string): number {
  if (!/^\d{1,10}$/.test(text) || Number(text) > 2 ** 31 - 1)
    throw new InvalidArgumentError('Give a whole number from 0 to 2147483647.');
  return Number(text);
}

export function positiveNumber(text: string): number {
  if (!/^[1-9]\d{0,5}$/.test(text)) throw new InvalidArgumentError('Give a whole number from 1 to 999999.');
  return Number(text);
}
