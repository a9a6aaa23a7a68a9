import { isInteger, type MysqlColumn, quoted } from './mysql-cells.ts';
import type { SqlAddress, TableName } from './sql-address.ts';
import type { SqlTable } from './sql-probe.ts';
import { noTables } from './sql-problems.ts';

export type MysqlTable = SqlTable & {
  /** For a statement: quoted, with its database. */
  readonly relation: string;
  readonly columns: readonly MysqlColumn[];
  /** Columns of the primary key, in its order; empty without one. */
  readonly key: readonly MysqlColumn[];
  /** Of an engine that can show an earlier moment. */
  readonly isTransactional: boolean;
};

/** Up to here a table is read whole in less time than its changes are looked for. */
const LARGE_BYTES = 1_000_000;
const LARGE_ROWS = 10_000;

type Query = (sql: string, parameters?: readonly unknown[]) => Promise<ReadonlyArray<readonly (Uint8Array | null)[]>>;

/** Throws `ProbeError` for a table that is not there or may not be read. */
export async function findTables(query: Query, address: SqlAddress): Promise<readonly MysqlTable[]> {
  const schemas = [...new Set([address.database, ...address.tables.flatMap(({ schema }) => schema ?? [])])];
  const entries = await entriesIn(query, schemas);
  const chosen =
    address.tables.length === 0
      ? entries.filter(({ kind }) => kind === 'BASE TABLE')
      : await choose({ query, entries, address });
  const columns = await columnsIn(query, schemas);
  const tables: MysqlTable[] = [];
  for (const entry of chosen) {
    const relation = `${quoted(entry.schema)}.${quoted(entry.table)}`;
    const own = columns.filter(({ schema, table }) => schema === entry.schema && table === entry.table);
    const key = own.filter(({ keyAt }) => keyAt > 0).sort((a, b) => a.keyAt - b.keyAt);
    const isTransactional = entry.engine === 'InnoDB';
    const isLarge = await hasManyRows(query, relation);
    tables.push({
      name: entry.schema === address.database ? entry.table : `${entry.schema}.${entry.table}`,
      relation,
      columns: own,
      key,
      isTransactional,
      isLarge: isTransactional && key.length > 0 && (isLarge || entry.bytes > LARGE_BYTES),
    });
  }
  return tables;
}

type Entry = {
  readonly schema: string;
  readonly table: string;
  readonly kind: string;
  readonly engine: string;
  /** The server's estimate. */
  readonly bytes: number;
};

async function entriesIn(query: Query, schemas: readonly string[]): Promise<readonly Entry[]> {
  const rows = await query(
    `SELECT TABLE_SCHEMA, TABLE_NAME, TABLE_TYPE, ENGINE, DATA_LENGTH FROM information_schema.TABLES
     WHERE TABLE_SCHEMA IN (?) AND TABLE_TYPE IN ('BASE TABLE', 'VIEW', 'SYSTEM VERSIONED') ORDER BY TABLE_SCHEMA, TABLE_NAME`,
    [schemas],
  );
  return rows.map(texts).map(([schema = '', table = '', kind = '', engine = '', bytes = '0']) => ({
    schema,
    table,
    kind: kind === 'VIEW' ? kind : 'BASE TABLE',
    engine,
    bytes: Number(bytes),
  }));
}

type ColumnEntry = MysqlColumn & { readonly schema: string; readonly table: string; readonly keyAt: number };

async function columnsIn(query: Query, schemas: readonly string[]): Promise<readonly ColumnEntry[]> {
  const rows = await query(
    `SELECT c.TABLE_SCHEMA, c.TABLE_NAME, c.COLUMN_NAME, c.DATA_TYPE, c.IS_NULLABLE, COALESCE(k.SEQ_IN_INDEX, 0)
     FROM information_schema.COLUMNS c LEFT JOIN information_schema.STATISTICS k
       ON k.TABLE_SCHEMA = c.TABLE_SCHEMA AND k.TABLE_NAME = c.TABLE_NAME AND k.COLUMN_NAME = c.COLUMN_NAME AND k.INDEX_NAME = 'PRIMARY'
     WHERE c.TABLE_SCHEMA IN (?) ORDER BY c.ORDINAL_POSITION`,
    [schemas],
  );
  return rows.map(texts).map(([schema = '', table = '', name = '', type = '', isNullable, keyAt]) => ({
    schema,
    table,
    name,
    type: type.toLowerCase(),
    isNullable: isNullable === 'YES',
    keyAt: Number(keyAt),
  }));
}

/** The server's own figures may be old; this one stops counting early. It fails where SELECT is missing. */
async function hasManyRows(query: Query, relation: string): Promise<boolean> {
  const [row] = await query(`SELECT COUNT(*) FROM (SELECT 1 FROM ${relation} LIMIT ${LARGE_ROWS + 1}) AS first_rows`);
  return Number(texts(row ?? [])[0]) > LARGE_ROWS;
}

type Choosing = { readonly query: Query; readonly entries: readonly Entry[]; readonly address: SqlAddress };

/** As the user named them; in another letter case when that is the only one. */
async function choose({ query, entries, address }: Choosing): Promise<readonly Entry[]> {
  const chosen = new Set<Entry>();
  const missing: TableName[] = [];
  for (const name of address.tables) {
    const { schema = address.database, table } = name;
    const inSchema = entries.filter((entry) => entry.schema === schema);
    const entry =
      inSchema.find((one) => one.table === table) ??
      inSchema.find((one) => one.table.toLowerCase() === table.toLowerCase());
    if (entry) chosen.add(entry);
    // The server hides the names of what a user has no privilege on; asking for it tells which it is.
    else
      await query(`SELECT 1 FROM ${quoted(schema)}.${quoted(table)} LIMIT 0`)
        .catch(refusal)
        .then(() => missing.push(name));
  }
  if (missing.length > 0) {
    throw noTables(
      address,
      missing,
      entries.map(({ schema, table }) => (schema === address.database ? table : `${schema}.${table}`)),
    );
  }
  return [...chosen];
}

const NO_SUCH_TABLE = 1146;

function refusal(error: unknown): void {
  const { cause } = error as { readonly cause?: { readonly errno?: unknown } };
  if (cause?.errno !== NO_SUCH_TABLE) throw error;
}

function texts(row: readonly (Uint8Array | null)[]): readonly (string | undefined)[] {
  return row.map((value) => (value === null ? undefined : Buffer.from(value).toString('utf8')));
}

/** The column whose ranges divide a table, where there is one. */
export function rangeColumn({ key }: MysqlTable): MysqlColumn | undefined {
  const [first] = key;
  return first && isInteger(first) ? first : undefined;
}
