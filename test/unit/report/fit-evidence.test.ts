import { Chalk } from 'chalk';
import { describe, expect, it } from 'vitest';
import { fitEvidence } from '../../../src/report/fit-evidence.ts';

const FINDING = { effect: 'shop.orders', expected: '1 row added' };
const ROWS = [
  'added shop.orders 17: id=17 reference=SO-2026-AAAABBBBCCCCDDDDEEEE customer=a@b.test amount=4990 currency=eur',
  'added shop.orders 18: id=18 reference=SO-2026-AAAABBBBCCCCDDDDEEEE customer=a@b.test amount=4990 currency=eur   <- second effect',
];

function fitted(lines: readonly string[], width: number, finding = FINDING) {
  const style = { paint: new Chalk({ level: 0 }), width, unicode: true };
  return fitEvidence(lines, finding, { indent: 6, style });
}

describe('evidence', () => {
  it('stands in full in a pipe, without the name that the title has', () => {
    expect(fitted(ROWS, 0)).toEqual(ROWS.map((line) => `      ${line.replace('shop.orders ', '')}`));
  });

  it.each([80, 100, 120])('shows the same columns of two rows within %i columns', (width) => {
    const [first = '', second = ''] = fitted(ROWS, width);
    for (const line of [first, second]) expect(line.length).toBeLessThanOrEqual(width);
    const names = (line: string) => [...line.matchAll(/ (\w+)=/g)].map(([, name]) => name);
    expect(names(second)).toEqual(names(first));
    expect(names(first)).toContain(width < 120 ? 'reference' : 'amount');
    expect(second).toMatch(/ {3}<- second effect$/);
  });

  it('cuts a long value in the middle, and says that columns are missing', () => {
    const [first] = fitted(ROWS, 80);
    expect(first).toContain('reference=SO-2026-AA...CDDDDEEEE');
    expect(first).toMatch(/ \.\.\.$/);
  });

  it('keeps the columns that the finding is about before all others', () => {
    const rows = ['added shop.totals a@b.test: customer=a@b.test orders=2 note=some-long-note-about-it total=9980'];
    const finding = { effect: 'shop.totals', expected: 'orders=1 total=4990' };
    expect(fitted(rows, 60, finding)).toEqual(['      added a@b.test: orders=2 total=9980 ...']);
  });

  it('wraps what is no row', () => {
    const attempt = '#3 at 1.154 s, copy 1, attempt 1 -> no response (timeout) in 10000 ms';
    expect(fitted([attempt], 50).join(' ').replace(/ +/g, ' ').trim()).toBe(attempt);
    for (const line of fitted([attempt], 50)) expect(line.length).toBeLessThanOrEqual(50);
  });
});
