import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Cell, Row, Snapshot } from '../../../src/model/effect.ts';
import { diffSnapshots } from '../../../src/observe/diff.ts';

const row = (key: string, cells: Readonly<Record<string, Cell>>): Row => ({ key, cells });
const table = (name: string, ...rows: readonly Row[]): Snapshot => ({ collections: [{ name, rows }] });

describe('diffSnapshots', () => {
  it('tells added, changed and removed rows apart and keeps whole rows on both sides', () => {
    const before = table('orders', row('1', { state: 'new', total: 5 }), row('2', { state: 'new', total: 7 }));
    const after = table('orders', row('1', { state: 'paid', total: 5 }), row('3', { state: 'new', total: 9 }));
    expect(diffSnapshots(before, after, 'shop')).toEqual([
      {
        effect: 'shop',
        collection: 'orders',
        kind: 'changed',
        key: '1',
        before: { state: 'new', total: 5 },
        after: { state: 'paid', total: 5 },
      },
      {
        effect: 'shop',
        collection: 'orders',
        kind: 'added',
        key: '3',
        before: null,
        after: { state: 'new', total: 9 },
      },
      {
        effect: 'shop',
        collection: 'orders',
        kind: 'removed',
        key: '2',
        before: { state: 'new', total: 7 },
        after: null,
      },
    ]);
  });

  const changesOf = (before: Cell, after: Cell) =>
    diffSnapshots(table('t', row('1', { a: before })), table('t', row('1', { a: after })), 'x').length;

  it.each<[Cell, Cell]>([
    [{ bytes: 'ff00' }, { bytes: 'ff01' }],
    [9007199254740993n, 9007199254740992n],
    [1, '1'],
    [null, ''],
    [true, 1],
  ])('takes %s and %s for a change', (before, after) => {
    expect(changesOf(before, after)).toBe(1);
  });

  it.each<Cell>([{ bytes: 'ff00' }, 9007199254740993n, null, '', 0, false])('takes %s for itself', (cell) => {
    expect(changesOf(cell, structuredClone(cell))).toBe(0);
  });

  it('sees a column that came or went', () => {
    expect(diffSnapshots(table('t', row('1', { a: 1 })), table('t', row('1', { b: 1 })), 'x')).toHaveLength(1);
    expect(diffSnapshots(table('t', row('1', { a: 1 })), table('t', row('1', { a: 1, b: null })), 'x')).toHaveLength(1);
  });

  it('counts the rows of a table that appears or disappears', () => {
    const rows = table('late', row('1', {}), row('2', {}));
    const nothing: Snapshot = { collections: [] };
    expect(diffSnapshots(nothing, rows, 'x').map(({ kind }) => kind)).toEqual(['added', 'added']);
    expect(diffSnapshots(rows, nothing, 'x').map(({ kind }) => kind)).toEqual(['removed', 'removed']);
  });

  it('leads from the one snapshot to the other', () => {
    const rows = fc.uniqueArray(fc.record({ key: fc.string({ maxLength: 2 }), cells: fc.record({ a: fc.nat(2) }) }), {
      selector: ({ key }) => key,
    });
    fc.assert(
      fc.property(rows, rows, (before, after) => {
        const state = new Map(before.map(({ key, cells }) => [key, cells as unknown]));
        for (const effect of diffSnapshots(table('t', ...before), table('t', ...after), 'x')) {
          if (effect.after) state.set(effect.key, effect.after);
          else state.delete(effect.key);
        }
        expect(state).toEqual(new Map(after.map(({ key, cells }) => [key, cells])));
      }),
    );
  });

  it('finds the one changed row of 100,000 without comparing each with each', () => {
    const rows = Array.from({ length: 100_000 }, (_, id) =>
      row(String(id), { id, name: `order ${id}`, total: id * 2 }),
    );
    const changed = rows.map((old) =>
      old.key === '77777' ? row('77777', { ...old.cells, total: 0 }) : row(old.key, { ...old.cells }),
    );
    const startMs = performance.now();
    expect(diffSnapshots(table('t', ...rows), table('t', ...changed), 'x').map(({ key }) => key)).toEqual(['77777']);
    expect(performance.now() - startMs).toBeLessThan(3000);
  });
});
