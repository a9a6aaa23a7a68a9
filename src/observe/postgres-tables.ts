import type { Query } from './postgres-answer.ts';
import type { SqlAddress, TableName } from './sql-address.ts';
import type { SqlTable } from './sql-probe.ts';
import { noPrivilege, noTables } from './sql-problems.ts';

export type PostgresTable = SqlTable & {
  /** For a statement: quoted, with its schema. */
  readonly relation: string;
  /** Columns of the primary key, in its order; empty without one. */
  readonly key: readonly string[];
  /** The files behind it: others after TRUNCATE, VACUUM FULL and what else writes a table anew. */
  readonly files: string;
};

/** Up to here a table is read whole in less time than its changes are looked for. */
const LARGE_BYTES = 1_000_000;

/**
 * Tables with all that belongs to them (partitions, heirs): a table of large ones is large. What was written can be told from row
 * headers only where all of them are plain tables of the usual access method.
 */
const CATALOG = `
  WITH RECURSIVE family(root, member) AS (
    SELECT c.oid, c.oid FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
    WHERE c.relkind IN ('r', 'p', 'v', 'm', 'f') AND n.nspname <> 'information_schema' AND n.nspname !~ '^pg_'
    UNION SELECT f.root, i.inhrelid FROM family f JOIN pg_inherits i ON i.inhparent = f.member
  ), size AS (
    SELECT f.root, sum(CASE WHEN c.relkind IN ('r', 'm') THEN pg_table_size(c.oid) ELSE 0 END) AS bytes,
      bool_and(c.relkind = 'p' OR c.relkind = 'r' AND coalesce(a.amname = 'heap', false)) AS has_headers,
      string_agg(coalesce(pg_relation_filenode(c.oid), 0)::text, ',' ORDER BY c.oid) AS files
    FROM family f JOIN pg_class c ON c.oid = f.member LEFT JOIN pg_am a ON a.oid = c.relam GROUP BY f.root
  )
  SELECT n.nspname, c.relname, pg_table_is_visible(c.oid)::text, size.bytes::text, size.has_headers::text, size.files,
    (has_schema_privilege(n.oid, 'USAGE') AND has_table_privilege(c.oid, 'SELECT'))::text,
    (c.relkind IN ('r', 'p') AND NOT EXISTS (SELECT FROM pg_inherits i WHERE i.inhrelid = c.oid)
      AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.classid = 'pg_class'::regclass AND d.objid = c.oid AND d.deptype = 'e'))::text,
    (SELECT json_agg(a.attname ORDER BY array_position(x.indkey::int2[], a.attnum)) FROM pg_index x
      JOIN pg_attribute a ON a.attrelid = x.indrelid AND a.attnum = ANY(x.indkey) WHERE x.indrelid = c.oid AND x.indisprimary)::text
  FROM size JOIN pg_class c ON c.oid = size.root JOIN pg_namespace n ON n.oid = c.relnamespace
  ORDER BY NOT pg_table_is_visible(c.oid), n.nspname, c.relname`;

/** Throws `ProbeError` for a table that is not there or may not be read. */
export async function findTables(query: Query, address: SqlAddress): Promise<readonly PostgresTable[]> {
  const entries = (await query(CATALOG)).rows.map(entryOf);
  const chosen = address.tables.length === 0 ? entries.filter(({ isOwn }) => isOwn) : choose(entries, address);
  const closed = chosen.filter(({ isReadable }) => !isReadable);
  if (closed.length > 0) throw noPrivilege(address, closed.map(fullName));
  return chosen.map(({ found }) => found);
}

type Entry = {
  readonly schema: string;
  readonly table: string;
  readonly isReadable: boolean;
  /** A table of the user: neither a part of another one nor an extension's. */
  readonly isOwn: boolean;
  readonly found: PostgresTable;
};

function entryOf(row: readonly (string | null)[]): Entry {
  const [schema = '', table = '', isVisible, bytes, hasHeaders, files, isReadable, isOwn, key] = row.map(
    (text) => text ?? undefined,
  );
  return {
    schema,
    table,
    isReadable: isReadable === 'true',
    isOwn: isOwn === 'true',
    found: {
      name: isVisible === 'true' ? table : `${schema}.${table}`,
      relation: `${quoted(schema)}.${quoted(table)}`,
      key: JSON.parse(key ?? '[]') as readonly string[],
      isLarge: hasHeaders === 'true' && Number(bytes) > LARGE_BYTES,
      files: files ?? '',
    },
  };
}

/** As the user named them; in another letter case when that is the only one. The first of several is in the schema that a bare name means. */
function choose(entries: readonly Entry[], address: SqlAddress): readonly Entry[] {
  const found = address.tables.map((name) => entries.find(called(name, exact)) ?? entries.find(called(name, lower)));
  const missing = address.tables.filter((_name, index) => found[index] === undefined);
  if (missing.length > 0) {
    throw noTables(
      address,
      missing,
      entries.filter(({ isOwn }) => isOwn).map((entry) => entry.found.name),
    );
  }
  return [...new Set(found.flatMap((entry) => entry ?? []))];
}

const exact = (text: string) => text;
const lower = (text: string) => text.toLowerCase();

function called({ schema, table }: TableName, fold: (text: string) => string): (entry: Entry) => boolean {
  return (entry) => fold(entry.table) === fold(table) && (schema === undefined || fold(entry.schema) === fold(schema));
}

function fullName({ schema, table }: Entry): string {
  return `${schema}.${table}`;
}

function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
