import type { Cell } from '../model/effect.ts';

/** A point in time as a source shows it. */
export type Moment = {
  readonly ms: number;
  /** How much the notation leaves open: 1000 for whole seconds. */
  readonly precisionMs: number;
  /** Without a zone: the hours may be those of any place on earth. */
  readonly isLocal: boolean;
};

/** Wall clock. */
export type Window = { readonly fromEpochMs: number; readonly toEpochMs: number };

/** A database's clock is rarely ours to the second. */
const SLACK_MS = 2000;
const ZONE_STEP_MS = 15 * 60_000;
const MOST_ZONES = 14 * 4;

/** Reads epoch seconds to nanoseconds (of the years 2001 to 2100), ISO-8601, SQL's date and time, and what `Date` prints. */
export function momentOf(cell: Cell): Moment | undefined {
  if (typeof cell === 'string') return momentOfText(cell);
  return typeof cell === 'number' || typeof cell === 'bigint' ? momentOfNumber(Number(cell)) : undefined;
}

/** The same forms inside a longer text. */
export const MOMENTS_IN_TEXT =
  /\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(?::\d{2}(?:[.,]\d{1,9})?)? ?(?:Z|[+-]\d{2}:?\d{2})?|(?<![\d.])\d{10}(?:\d{3}){0,3}(?:\.\d{1,9})?(?![\d.])/g;

/** True for a time of this run: then it tells of us, and not of the event. */
export function isOfRun(moment: Moment, window: Window): boolean {
  const [from, to] = offsetsOf(moment, window);
  if (!moment.isLocal) return from <= SLACK_MS && to >= -SLACK_MS;
  const middle = Math.round((from + to) / 2 / ZONE_STEP_MS);
  const zone = Math.abs(middle) <= MOST_ZONES ? middle * ZONE_STEP_MS : 0;
  return from - zone <= SLACK_MS && to - zone >= -SLACK_MS;
}

/** How far from the run a time lies, at least and at most: `now() + 30 days` has the same distance in every run. */
export function offsetsOf({ ms, precisionMs }: Moment, { fromEpochMs, toEpochMs }: Window): readonly [number, number] {
  return [ms - toEpochMs, ms + precisionMs - fromEpochMs];
}

/** Distances that may be one and the same. */
export function overlap([from, to]: readonly [number, number], other: readonly [number, number]): boolean {
  return from <= other[1] + SLACK_MS && to >= other[0] - SLACK_MS;
}

/** True when it holds for one of the moments that a local time may mean. */
export function someZone({ ms, isLocal }: Moment, holds: (ms: number) => boolean): boolean {
  if (holds(ms)) return true;
  for (let zone = 1; isLocal && zone <= MOST_ZONES; zone++) {
    if (holds(ms + zone * ZONE_STEP_MS) || holds(ms - zone * ZONE_STEP_MS)) return true;
  }
  return false;
}

const UNITS = [
  { toMs: 1000, precisionMs: 1000 },
  { toMs: 1, precisionMs: 1 },
  { toMs: 1e-3, precisionMs: 1 },
  { toMs: 1e-6, precisionMs: 1 },
] as const;
const [EARLIEST, LATEST] = [Date.UTC(2001, 8, 10), Date.UTC(2100, 0, 1)];

function momentOfNumber(value: number): Moment | undefined {
  for (const { toMs, precisionMs } of UNITS) {
    const ms = value * toMs;
    if (ms >= EARLIEST && ms < LATEST)
      return { ms, precisionMs: Number.isInteger(value) ? precisionMs : 1, isLocal: false };
  }
  return undefined;
}

const DATE_TIME = /^(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2})(?:(:\d{2})([.,]\d{1,9})?)? ?(Z|[+-]\d{2}(?::?\d{2})?)?$/;
const PRINTED = /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)\w*,? [\w ]+ \d{2}:\d{2}:\d{2} (?:GMT|UTC|[+-]\d{4})/;

function momentOfText(text: string): Moment | undefined {
  if (text.length < 10 || text.length > 80) return undefined;
  if (/^\d{10}(\d{3}){0,3}(\.\d{1,9})?$/.test(text)) return momentOfNumber(Number(text));
  const match = DATE_TIME.exec(text);
  if (!match) return PRINTED.test(text) ? moment(Date.parse(text), 1000, false) : undefined;
  const [, date, minutes, seconds = ':00', fraction = '', zone] = match;
  const ms = Date.parse(`${date}T${minutes}${seconds}${fraction.replace(',', '.').slice(0, 4)}${fullZone(zone)}`);
  const precisionMs = match[3] === undefined ? 60_000 : fraction === '' ? 1000 : 1;
  return moment(ms, precisionMs, zone === undefined);
}

function moment(ms: number, precisionMs: number, isLocal: boolean): Moment | undefined {
  return Number.isNaN(ms) ? undefined : { ms, precisionMs, isLocal };
}

/** Postgres writes `+00`. */
function fullZone(zone = 'Z'): string {
  return zone.length === 3 ? `${zone}:00` : zone;
}
