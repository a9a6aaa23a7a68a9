import { isoTime } from './clock.ts';
import { parseDuration } from './duration.ts';
import { UserError } from './errors.ts';

/**
 * A moment that the user wrote: `2h` (so long ago), `2026-01-31`, or any ISO-8601 time; without a zone it is UTC.
 * @returns ISO-8601 UTC with milliseconds
 */
export function parseTime(text: string, flag: string, nowMs: number): string {
  if (/^\d+(\.\d+)?(us|ms|s|m|h|d)/.test(text)) return isoTime(nowMs - parseDuration(text, flag));
  const zoned = /T.*(Z|[+-]\d\d:?\d\d)$/i.test(text) || !/[T ]\d/.test(text) ? text : `${text.replace(' ', 'T')}Z`;
  const ms = /^\d{4}-\d\d(-\d\d)?/.test(text) ? Date.parse(zoned) : Number.NaN;
  if (!Number.isNaN(ms)) return isoTime(ms);
  throw new UserError('BAD_TIME', `"${text}" is no time (${flag}).`, {
    hint: 'Write it like 2h (so long ago), 2026-01-31 or 2026-01-31T12:00:00Z.',
  });
}
