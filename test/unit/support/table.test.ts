import stringWidth from 'string-width';
import { describe, expect, it } from 'vitest';
import { fitWidths, renderTable } from '../../../src/support/table.ts';

const columns = [{ title: 'ID' }, { title: 'TYPE' }, { title: 'BYTES', align: 'right' as const }, { title: 'TAGS' }];
const rows = [
  ['Ab3', 'payment_intent.succeeded.with.a.name.that.is.far.too.long.for.a.narrow.terminal', '1953', '@a'],
  ['Zz9', '日本語', '7', ''],
];

describe('renderTable', () => {
  it('stands in columns as wide as needed', async () => {
    const text = await renderTable({
      columns,
      rows: [
        ['Ab3', 'ping', '1953', '@a'],
        ['Zz9', '日本語', '7', ''],
      ],
      width: 80,
      plain: false,
    });
    expect(text).toBe('ID   TYPE    BYTES  TAGS\nAb3  ping     1953  @a\nZz9  日本語      7\n');
  });

  it.each([60, 70, 80, 100])('never is wider than %d columns, and loses nothing', async (width) => {
    const text = await renderTable({ columns, rows, width, plain: false });
    for (const line of text.split('\n')) expect(stringWidth(line)).toBeLessThanOrEqual(width);
    expect(text.replace(/[^a-z_.]/g, '')).toContain('payment_intent.succeeded');
    expect(text).toContain('1953');
  });

  it('becomes records under 60 columns, without empty fields', async () => {
    const text = await renderTable({ columns, rows: [['Ab3', 'ping', '1', '']], width: 59, plain: false });
    expect(text).toBe('ID     Ab3\nTYPE   ping\nBYTES  1\n');
  });

  it('is one record a line in a pipe, whatever its length, with a dash for nothing', async () => {
    const text = await renderTable({ columns, rows, width: 20, plain: true });
    expect(text).toBe(`${rows[0]?.join('\t')}\nZz9\t日本語\t7\t-\n`);
  });

  it('lets no cell break its line or the terminal', async () => {
    const odd = [['a\tb', 'c\nd', '\u001b[2J', '\u202e']];
    const text = await renderTable({ columns, rows: odd, width: 80, plain: true });
    expect(text).toBe('a\\tb\tc\\nd\t\\x1b[2J\t\\u202e\n');
  });

  it('is nothing when there are no rows', async () => {
    expect(await renderTable({ columns, rows: [], width: 80, plain: false })).toBe('');
  });
});

describe('fitWidths', () => {
  it.each([
    [[5, 5], 20, [5, 5]],
    [[10, 30], 22, [10, 10]],
    [[30, 10, 30], 44, [15, 10, 15]],
    [[30, 30], 12, undefined],
  ])('%j in %d columns', (natural, width, ...[expected]) => {
    expect(fitWidths(natural, width)).toEqual(expected);
  });
});
