import { describe, expect, it } from 'vitest';
import { isOfRun, momentOf } from '../../../src/judge/moment.ts';
import type { Cell } from '../../../src/model/effect.ts';

const NOW = Date.UTC(2026, 2, 1, 10, 0, 0, 250);
const WINDOW = { fromEpochMs: NOW, toEpochMs: NOW + 1000 };

describe('momentOf', () => {
  it.each<readonly [Cell, number, number, boolean]>([
    [NOW, NOW, 1, false],
    [NOW / 1000, NOW, 1, false],
    [Math.floor(NOW / 1000), NOW - 250, 1000, false],
    [BigInt(NOW) * 1000n, NOW, 1, false],
    [String(NOW), NOW, 1, false],
    ['1772359200.000200', 1_772_359_200_000.2, 1, false],
    ['2026-03-01T10:00:00Z', NOW - 250, 1000, false],
    ['2026-03-01T10:00:00.250Z', NOW, 1, false],
    ['2026-03-01 10:00:00.250123456+00', NOW, 1, false],
    ['2026-03-01 12:00:00.250 +02:00', NOW, 1, false],
    ['2026-03-01T12:00:00.250+0200', NOW, 1, false],
    ['2026-03-01 10:00:00', NOW - 250, 1000, true],
    ['2026-03-01T10:00', NOW - 250, 60_000, true],
    ['Sun, 01 Mar 2026 10:00:00 GMT', NOW - 250, 1000, false],
    ['Sun Mar 01 2026 10:00:00 GMT+0000 (Coordinated Universal Time)', NOW - 250, 1000, false],
  ])('reads %s', (...[cell, ms, precisionMs, isLocal]) => {
    const moment = momentOf(cell);
    expect(moment?.ms).toBeCloseTo(ms, 3);
    expect(moment).toMatchObject({ precisionMs, isLocal });
  });

  it.each<Cell>([
    null,
    true,
    0,
    2000,
    999_999_999,
    -1,
    '',
    '2026-03-01',
    '10:00:00',
    '2026-13-41 10:00:00',
    'Sunday',
    '0123456789',
    { bytes: 'ff' },
  ])('takes %s for no time', (cell) => {
    expect(momentOf(cell)).toBeUndefined();
  });
});

describe('isOfRun', () => {
  const isNow = (cell: Cell) => {
    const moment = momentOf(cell);
    return moment !== undefined && isOfRun(moment, WINDOW);
  };

  it.each<readonly [Cell, boolean]>([
    [NOW, true],
    [NOW + 1000, true],
    [NOW - 2000, true],
    [NOW - 2002, false],
    [NOW + 3000, true],
    [NOW + 3001, false],
    ['2026-03-01 10:00:00', true],
    ['2026-03-01 12:00:01', true],
    ['2026-03-01 15:30:00', true],
    ['2026-02-28 20:00:00', true],
    ['2026-03-01 10:07:00', false],
    ['2026-03-02 10:00:00', false],
    ['2026-03-01T12:00:00Z', false],
    ['2026-03-01T12:00:00+02:00', true],
  ])('%s: %s', (cell, expected) => {
    expect(isNow(cell)).toBe(expected);
  });
});
