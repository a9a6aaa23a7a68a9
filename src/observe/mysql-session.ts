import type { Connection } from 'mysql2/promise';
import { mysqlCell, selected } from './mysql-cells.ts';
import { isLoss, mysqlProblem } from './mysql-problems.ts';
import { findTables, type MysqlTable } from './mysql-tables.ts';
import { reconnecting } from './reconnecting.ts';
import type { SqlAddress } from './sql-address.ts';
import { rowsOf } from './sql-cells.ts';
import type { SqlSession } from './sql-probe.ts';

export type Values = ReadonlyArray<readonly (Uint8Array | null)[]>;

export type MysqlSession = SqlSession<MysqlTable> & {
  /** Values as the server's own text or bytes. */
  readonly query: (sql: string, parameters?: readonly unknown[]) => Promise<Values>;
  readonly rowsWhere: (table: MysqlTable, where: string) => ReturnType<SqlSession<MysqlTable>['rows']>;
};

const CONNECT_MS = 10_000;

const SETTINGS = [
  "SET SESSION time_zone = '+00:00', sql_mode = '', lock_wait_timeout = 5, wait_timeout = 28800",
  'SET SESSION TRANSACTION ISOLATION LEVEL REPEATABLE READ',
];
/** The limit of one statement, and figures about tables that are not a day old. */
const OF_MARIADB = ['SET SESSION max_statement_time = 30, idle_transaction_timeout = 0'];
const OF_MYSQL = ['SET SESSION max_execution_time = 30000, information_schema_stats_expiry = 0'];

/** What a commit, and a statement that changes whole tables, counts up. */
const COUNTERS =
  "('Handler_commit','Com_xa_commit','Com_truncate','Com_create_table','Com_drop_table','Com_alter_table','Com_rename_table')";

export function mysqlSession(address: SqlAddress): MysqlSession {
  const connection = reconnecting(
    () => connect(address),
    ({ client }) => client.end(),
  );
  let inside = false;
  let unsure = 0;
  let isTransactional = false;

  /** A connection that was lost is told once; the next moment begins with a new one. */
  const query = async (sql: string, parameters: readonly unknown[] = []): Promise<Values> => {
    const { client, lost } = await connection.get();
    try {
      if (lost.error) throw lost.error;
      const [rows] = await client.query({ sql, values: [...parameters], rowsAsArray: true });
      return rows as unknown as Values;
    } catch (error) {
      if (lost.error || isLoss(error)) {
        connection.drop();
        inside = false;
      }
      throw mysqlProblem(lost.error ?? error, address);
    }
  };

  const rowsWhere = rowReader(query);

  return {
    query,
    rowsWhere,
    enter: async () => {
      await query('START TRANSACTION WITH CONSISTENT SNAPSHOT, READ ONLY');
      inside = true;
    },
    leave: async () => {
      if (connection.current()?.lost.error) connection.drop();
      if (!inside || !connection.current()) return;
      inside = false;
      // What cannot even be ended is of no use any more.
      await query('ROLLBACK').catch(connection.drop);
    },
    visit: async (read) => {
      await query('SAVEPOINT visit');
      try {
        return await read();
      } finally {
        if (inside) await query('ROLLBACK TO SAVEPOINT visit');
      }
    },
    tables: async () => {
      const tables = await findTables(query, address);
      isTransactional = tables.every((table) => table.isTransactional);
      return tables;
    },
    rows: (table) => rowsWhere(table, 'TRUE'),
    count: async ({ relation }) => Number(textOf((await query(`SELECT COUNT(*) FROM ${relation}`))[0]?.[0])),
    version: async () => {
      if (!isTransactional) return `unsure ${++unsure}`;
      const counted = await query(`SHOW GLOBAL STATUS WHERE Variable_name IN ${COUNTERS}`);
      return counted.map((row) => textOf(row[1])).join(' ');
    },
    close: connection.close,
  };
}

function rowReader(query: MysqlSession['query']): MysqlSession['rowsWhere'] {
  return async ({ relation, columns, key }, where) => {
    const values = await query(`SELECT ${columns.map(selected).join(', ')} FROM ${relation} WHERE ${where}`);
    return rowsOf(
      columns.map(({ name }) => name),
      key.map(({ name }) => name),
      values.map((row) => row.map((value, index) => mysqlCell(value, columns[index]?.type ?? ''))),
    );
  };
}

export function textOf(value: Uint8Array | null | undefined): string {
  return Buffer.from(value ?? []).toString('utf8');
}

type Live = { readonly client: Connection; readonly lost: { error?: unknown } };

async function connect(address: SqlAddress): Promise<Live> {
  const { createConnection } = await import('mysql2/promise');
  try {
    const client = await createConnection({
      uri: address.url,
      charset: 'utf8mb4',
      connectTimeout: CONNECT_MS,
      connectAttributes: { program_name: 'webhook-replay' },
      typeCast: (field) => field.buffer(),
    });
    const lost: Live['lost'] = {};
    client.on('error', (error: unknown) => {
      lost.error ??= error;
    });
    const [[version]] = (await client.query({ sql: 'SELECT VERSION()', rowsAsArray: true })) as unknown as [
      [[Uint8Array]],
    ];
    const isMariadb = /mariadb/i.test(textOf(version?.[0]));
    for (const setting of [...SETTINGS, ...(isMariadb ? OF_MARIADB : OF_MYSQL)]) await client.query(setting);
    return { client, lost };
  } catch (error) {
    throw mysqlProblem(error, address);
  }
}
