import pg from 'pg';

/** Where the tests' PostgreSQL answers. */
export const POSTGRES = process.env['WEBHOOK_REPLAY_TEST_POSTGRES'] ?? 'postgres://postgres@127.0.0.1:5432/postgres';

/** Runs statements one after the other on a connection of their own. Rejects when nobody answers. */
export async function query(
  ...statements: readonly string[]
): Promise<ReadonlyArray<Readonly<Record<string, unknown>>>> {
  const client = new pg.Client({ connectionString: POSTGRES, connectionTimeoutMillis: 5000 });
  await client.connect();
  try {
    let rows: ReadonlyArray<Readonly<Record<string, unknown>>> = [];
    for (const statement of statements) ({ rows } = await client.query(statement));
    return rows;
  } finally {
    await client.end();
  }
}

/** In CI a missing server is a failure; on a user's machine its tests are skipped. */
export async function hasPostgres(): Promise<boolean> {
  if (process.env['CI']) return true;
  return query('SELECT 1').then(
    () => true,
    () => false,
  );
}
