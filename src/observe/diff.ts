import type { Cell, Effect, Row, Snapshot } from '../model/effect.ts';

/**
 * What changed between two moments of one source, row by row. Both sides of a changed row are whole, so that a reader
 * sees what the row is about. In the order of the later snapshot; what was removed comes last.
 */
export function diffSnapshots(before: Snapshot, after: Snapshot, effect: string): readonly Effect[] {
  const old = new Map(before.collections.map(({ name, rows }) => [name, rows]));
  const changes: Effect[] = [];
  for (const { name, rows } of after.collections) {
    addChanges(changes, { effect, collection: name, before: old.get(name) ?? [], after: rows });
    old.delete(name);
  }
  for (const [collection, rows] of old) addChanges(changes, { effect, collection, before: rows, after: [] });
  return changes;
}

type TwoMoments = {
  readonly effect: string;
  readonly collection: string;
  readonly before: readonly Row[];
  readonly after: readonly Row[];
};

function addChanges(changes: Effect[], { effect, collection, before, after }: TwoMoments): void {
  if (before === after) return;
  const gone = new Map(before.map((row) => [row.key, row.cells]));
  for (const { key, cells } of after) {
    const old = gone.get(key);
    gone.delete(key);
    if (old === undefined) changes.push({ effect, collection, kind: 'added', key, before: null, after: cells });
    else if (!sameCells(old, cells)) {
      changes.push({ effect, collection, kind: 'changed', key, before: old, after: cells });
    }
  }
  for (const [key, cells] of gone)
    changes.push({ effect, collection, kind: 'removed', key, before: cells, after: null });
}

type Cells = Readonly<Record<string, Cell>>;

function sameCells(a: Cells, b: Cells): boolean {
  const columns = Object.keys(a);
  if (columns.length !== Object.keys(b).length) return false;
  return columns.every((column) => Object.hasOwn(b, column) && sameCell(a[column], b[column]));
}

function sameCell(a: Cell | undefined, b: Cell | undefined): boolean {
  if (a === b) return true;
  return isBytes(a) && isBytes(b) && a.bytes === b.bytes;
}

function isBytes(cell: Cell | undefined): cell is { readonly bytes: string } {
  return typeof cell === 'object' && cell !== null;
}
