import type { Cell } from '../model/effect.ts';

type Window = { readonly fromEpochMs: number; readonly toEpochMs: number };

const SLACK_MS = 2000;
/** Local times without a zone may be off by as much as the earth has zones. */
const ZONE_MS = 14 * 3_600_000;

/** True for a value that reads as a moment of this run: epoch seconds, milliseconds or microseconds, ISO-8601, or SQL's date and time. */
export function isTimeOfRun(cell: Cell, window: Window): boolean {
  if (typeof cell === 'string') return isTextTime(cell, window);
  if (typeof cell !== 'number' && typeof cell !== 'bigint') return false;
  return isEpoch(Number(cell), window);
}

function isEpoch(value: number, { fromEpochMs, toEpochMs }: Window): boolean {
  return [1000, 1, 0.001].some((toMs) => {
    const ms = value * toMs;
    return ms >= fromEpochMs - SLACK_MS && ms <= toEpochMs + SLACK_MS;
  });
}

const DATE_TIME = /^(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?) ?(Z|[+-]\d{2}:?\d{2})?$/;

function isTextTime(text: string, window: Window): boolean {
  if (/^\d{10}(\d{3}(\d{3})?)?$/.test(text)) return isEpoch(Number(text), window);
  const match = DATE_TIME.exec(text);
  if (!match) return false;
  const [, date, time, zone] = match;
  const ms = Date.parse(`${date}T${time}${zone ?? 'Z'}`);
  const room = SLACK_MS + (zone === undefined ? ZONE_MS : 0);
  return ms >= window.fromEpochMs - room && ms <= window.toEpochMs + room;
}
