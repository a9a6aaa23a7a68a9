import type { Cell, Row, Snapshot } from '../model/effect.ts';
import type { SqliteDatabase } from '../support/sqlite.ts';
import { contentKey, distinctKeys, keyOf } from './row-key.ts';

export type Table = { readonly name: string; readonly kind: string; readonly withoutRowid: boolean };

/** The user's own tables: none of SQLite's, no virtual ones and not the tables behind them. */
export function tablesOf(db: SqliteDatabase): readonly Table[] {
  return everything(db).filter(({ kind }) => kind === 'table');
}

/** Tables and views by name; SQLite compares names without regard to ASCII case. Those that are not there are left out. */
export function findTables(db: SqliteDatabase, names: readonly string[]): readonly Table[] {
  const wanted = new Set(names.map((name) => name.toLowerCase()));
  return everything(db).filter(({ name }) => wanted.has(name.toLowerCase()));
}

/** Reads whole tables. The caller holds the read transaction. */
export function readTables(db: SqliteDatabase, tables: readonly Table[]): Snapshot {
  return { collections: tables.map((table) => ({ name: table.name, rows: readRows(db, table) })) };
}

function everything(db: SqliteDatabase): readonly Table[] {
  const rows = db
    .prepare(`SELECT name, type, wr FROM pragma_table_list WHERE schema = 'main' ORDER BY name`)
    .all() as readonly { readonly name: string; readonly type: string; readonly wr: number }[];
  return rows
    .filter(({ name }) => !name.toLowerCase().startsWith('sqlite_'))
    .map(({ name, type, wr }) => ({ name, kind: type, withoutRowid: wr === 1 }));
}

type Column = { readonly name: string; readonly pk: number };

function readRows(db: SqliteDatabase, table: Table): readonly Row[] {
  const columns = db.prepare('SELECT name, pk FROM pragma_table_xinfo(?)').all(table.name) as readonly Column[];
  const keyColumns = columns.filter(({ pk }) => pk > 0).sort((a, b) => a.pk - b.pk);
  const rowid = rowidName(table, columns);
  const statement = db
    .prepare(`SELECT ${rowid ?? 'NULL'}, * FROM ${quoted(table.name)}`)
    .safeIntegers()
    .raw();
  const names = statement
    .columns()
    .slice(1)
    .map(({ name }) => name);
  const keyAt = keyColumns.map(({ name }) => names.indexOf(name));
  const distinct = distinctKeys();
  return (statement.all() as readonly (readonly unknown[])[]).map(([id, ...values]) => {
    const cells = values.map(cellOf);
    const key = keyOf(keyAt.map((index) => cells[index] ?? null)) ?? rowidKey(id) ?? contentKey(cells);
    return { key: distinct(key), cells: Object.fromEntries(names.map((name, index) => [name, cells[index] ?? null])) };
  });
}

/** Any of its three names may be taken by a column; views and WITHOUT ROWID tables have none. */
function rowidName({ kind, withoutRowid }: Table, columns: readonly Column[]): string | undefined {
  if (kind !== 'table' || withoutRowid) return undefined;
  const taken = new Set(columns.map(({ name }) => name.toLowerCase()));
  return ['rowid', '_rowid_', 'oid'].find((name) => !taken.has(name));
}

function rowidKey(id: unknown): string | undefined {
  return typeof id === 'bigint' ? `rowid ${id}` : undefined;
}

function cellOf(value: unknown): Cell {
  if (typeof value === 'bigint') {
    const number = Number(value);
    return Number.isSafeInteger(number) ? number : value;
  }
  return value instanceof Uint8Array ? { bytes: Buffer.from(value).toString('hex') } : (value as Cell);
}

function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
