import type { Client, QueryArrayResult } from 'pg';
import { ProbeError } from '../support/errors.ts';
import { type Answer, type Query, rowsOfAnswer } from './postgres-answer.ts';
import { isLoss, postgresProblem } from './postgres-problems.ts';
import { findTables, type PostgresTable } from './postgres-tables.ts';
import { reconnecting } from './reconnecting.ts';
import type { SqlAddress } from './sql-address.ts';
import type { SqlSession } from './sql-probe.ts';

export type PostgresSession = SqlSession<PostgresTable> & {
  readonly query: Query;
  /** The oldest transaction that was not over at the moment: what a later one wrote, the moment does not show. */
  readonly horizon: () => string;
};

const CONNECT_MS = 10_000;

/**
 * Settings of a transaction, not of the connection, which a pooler may hand to somebody else. Texts are exact and the same everywhere;
 * a row that a policy would hide is an error instead of a row that is not there.
 */
const ENTER = `BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY;
  SET LOCAL statement_timeout = '30s'; SET LOCAL lock_timeout = '5s'; SET LOCAL idle_in_transaction_session_timeout = 0;
  SET LOCAL row_security = off; SET LOCAL timezone = 'UTC'; SET LOCAL datestyle = 'ISO, YMD'; SET LOCAL intervalstyle = 'iso_8601';
  SET LOCAL extra_float_digits = 3; SET LOCAL bytea_output = 'hex'`;

export function postgresSession(address: SqlAddress): PostgresSession {
  const connection = reconnecting(
    () => connect(address),
    ({ client }) => client.end(),
  );
  let inside = false;
  let horizon = '0';

  /** A connection that was lost is told once; the next moment begins with a new one. */
  const run = async <T>(use: (client: Client) => Promise<T>): Promise<T> => {
    const { client, lost } = await connection.get();
    try {
      if (lost.error) throw lost.error;
      return await use(client);
    } catch (error) {
      if (lost.error || isLoss(error)) {
        connection.drop();
        inside = false;
      }
      throw postgresProblem(lost.error ?? error, address);
    }
  };

  const command = (sql: string) => run((client) => client.query(sql));

  const query: Query = (sql, parameters = []): Promise<Answer> =>
    run(async (client) => {
      const answer: QueryArrayResult<(string | null)[]> = await client.query({
        text: sql,
        values: [...parameters],
        rowMode: 'array',
        types: AS_TEXT,
      });
      return { columns: answer.fields.map(({ name, dataTypeID }) => ({ name, type: dataTypeID })), rows: answer.rows };
    });

  return {
    query,
    horizon: () => horizon,
    enter: async () => {
      await command(ENTER);
      inside = true;
      const { rows } = await query('SELECT pg_current_snapshot()::text');
      horizon = String(rows[0]?.[0]).split(':')[0] ?? '0';
    },
    leave: async () => {
      if (connection.current()?.lost.error) connection.drop();
      if (!inside || !connection.current()) return;
      inside = false;
      // What cannot even be ended is of no use any more.
      await command('ROLLBACK').catch(connection.drop);
    },
    visit: async (read) => {
      await command('SAVEPOINT visit');
      try {
        return await read();
      } finally {
        if (inside) await command('ROLLBACK TO SAVEPOINT visit; RELEASE SAVEPOINT visit');
      }
    },
    tables: () => findTables(query, address),
    rows: async ({ relation, key }) => rowsOfAnswer(await query(`SELECT * FROM ${relation}`), key),
    count: async ({ relation }) => Number((await query(`SELECT count(*) FROM ${relation}`)).rows[0]?.[0]),
    // Of which transactions are over: as long as that is the same, so is everything that they wrote.
    version: async () => String((await query('SELECT pg_current_snapshot()::text')).rows[0]?.[0]),
    close: connection.close,
  };
}

const AS_TEXT = { getTypeParser: () => (text: string) => text };

type Connection = { readonly client: Client; readonly lost: { error?: unknown } };

async function connect(address: SqlAddress): Promise<Connection> {
  const { default: pg } = await import('pg');
  const lost: Connection['lost'] = {};
  const client = new pg.Client({
    connectionString: address.url,
    application_name: 'webhook-replay',
    connectionTimeoutMillis: CONNECT_MS,
    keepAlive: true,
  });
  client.on('error', (error) => {
    lost.error ??= error;
  });
  client.on('end', () => {
    lost.error ??= new ProbeError('The connection was closed.');
  });
  try {
    await client.connect();
  } catch (error) {
    await client.end().catch(() => {});
    throw postgresProblem(error, address);
  }
  return { client, lost };
}
