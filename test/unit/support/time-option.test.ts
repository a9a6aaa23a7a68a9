import { describe, expect, it } from 'vitest';
import { parseTime } from '../../../src/support/time-option.ts';

const NOW = Date.parse('2026-02-01T12:00:00.000Z');

describe('parseTime', () => {
  it.each([
    ['2h', '2026-02-01T10:00:00.000Z'],
    ['1d', '2026-01-31T12:00:00.000Z'],
    ['2026-01-31', '2026-01-31T00:00:00.000Z'],
    ['2026-01-31T10:00:00', '2026-01-31T10:00:00.000Z'],
    ['2026-01-31 10:00', '2026-01-31T10:00:00.000Z'],
    ['2026-01-31T10:00:00.5+02:00', '2026-01-31T08:00:00.500Z'],
  ])('%s', (text, expected) => {
    expect(parseTime(text, '--since', NOW)).toBe(expected);
  });

  it.each(['yesterday', '', '12', '2026-13-01', 'Jan 1'])('refuses %j and names the flag', (text) => {
    expect(() => parseTime(text, '--since', NOW)).toThrow(/is no time \(--since\)/);
  });
});
