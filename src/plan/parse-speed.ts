import { UserError } from '../support/errors.ts';

/** Reads `3600x`, `0.5x` or `60`. @returns how many times faster than real time */
export function parseSpeed(text: string): number {
  const speed = /^\d{1,12}(\.\d{1,6})?x?$/i.test(text) ? Number.parseFloat(text) : 0;
  if (speed > 0) return speed;
  throw new UserError('BAD_SPEED', `"${text}" is not a speed (--speed).`, {
    hint: 'Write how many times faster than real time, for example 3600x: an hour passes in a second.',
  });
}
