import { UserError } from './errors.ts';

const UNITS: Record<string, number> = { us: 0.001, ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/**
 * Reads `500ms`, `2s`, `1.5m`, `1h30m`, and `0`; the unit is required except for 0.
 * @returns milliseconds
 */
export function parseDuration(text: string, flag: string): number {
  if (text === '0') return 0;
  const parts = [...text.matchAll(/(\d+(?:\.\d+)?)(us|ms|s|m|h|d)/g)];
  if (parts.length === 0 || parts.map(([whole]) => whole).join('') !== text) {
    const hint = /^\d+(\.\d+)?$/.test(text)
      ? `Add a unit: ${text}ms or ${text}s.`
      : 'Write it like 500ms, 2s, 5m or 1h30m.';
    throw new UserError('BAD_DURATION', `"${text}" is not a duration (${flag}).`, { hint });
  }
  return parts.reduce((sum, [, amount, unit]) => sum + Number(amount) * (UNITS[unit as string] as number), 0);
}

/** For people: `41 ms`, `2.4 s`, `5 min`, `2 h 5 min`, `3 d`. */
export function formatDuration(ms: number): string {
  if (ms < 1) return `${Math.round(ms * 1000)} us`;
  if (ms < 1000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${trimZero((ms / 1000).toFixed(ms < 10_000 ? 1 : 0))} s`;
  const minutes = Math.round(ms / 60_000);
  if (minutes < 60) return `${minutes} min`;
  if (minutes >= 3 * 24 * 60) return `${Math.round(minutes / 60 / 24)} d`;
  const rest = minutes % 60;
  return rest === 0 ? `${Math.floor(minutes / 60)} h` : `${Math.floor(minutes / 60)} h ${rest} min`;
}

function trimZero(text: string): string {
  return text.replace(/\.0$/, '');
}
