/**
 * A provider's time as ISO-8601 UTC with milliseconds: Unix seconds, milliseconds, micro- or nanoseconds (told apart by
 * size), ISO dates (without a zone they are UTC), mail dates. `undefined` for anything else.
 */
export function isoOf(text: string): string | undefined {
  const epochMs = /^\d{9,19}(\.\d+)?$/.test(text) ? fromNumber(text) : fromDate(text);
  return Number.isFinite(epochMs) && Math.abs(epochMs) < 8.64e15 ? new Date(epochMs).toISOString() : undefined;
}

function fromNumber(text: string): number {
  const value = Number(text);
  if (value < 1e11) return Math.round(value * 1000);
  if (value < 1e14) return Math.floor(value);
  if (value < 1e17) return Math.floor(value / 1e3);
  return Math.floor(value / 1e6);
}

const ISO = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d)?)(\.\d+)?\s*(Z|UTC|[+-]\d\d:?\d\d)?)?$/i;
const MAIL = /^[A-Z][a-z]{2}, \d{1,2} [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d (GMT|UTC|[+-]\d{4})$/;

function fromDate(text: string): number {
  const [, day, time = '00:00:00', fraction = '', zone = 'Z'] = ISO.exec(text) ?? [];
  if (day === undefined) return MAIL.test(text) ? Date.parse(text) : Number.NaN;
  return Date.parse(`${day}T${time}${time.length === 5 ? ':00' : ''}${fraction.slice(0, 4)}${isoZone(zone)}`);
}

function isoZone(zone: string): string {
  if (/^(z|utc)$/i.test(zone)) return 'Z';
  return zone.includes(':') ? zone : `${zone.slice(0, 3)}:${zone.slice(3)}`;
}
