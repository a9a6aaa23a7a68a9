import { randomUUID } from 'node:crypto';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Probe } from '../../../src/model/effect.ts';
import { diffSnapshots } from '../../../src/observe/diff.ts';
import { openProbe } from '../../../src/observe/sources.ts';
import { systemClock } from '../../../src/support/clock.ts';
import { engineOf, type TestDatabase } from '../../support/databases.ts';

const engine = await engineOf('postgres');
const create = () => engine.create(onTestFinished);

async function open(source: string): Promise<Probe> {
  const probe = await openProbe(source, { cwd: '.', env: {}, clock: systemClock });
  onTestFinished(probe.close);
  return probe;
}

async function changesOf(probe: Probe) {
  const { before, after } = (await probe.moments?.compare()) ?? {};
  return before && after ? diffSnapshots(before, after, 'db') : [];
}

const short = async (probe: Probe) =>
  (await changesOf(probe)).map(({ kind, collection, key }) => `${kind} ${collection} ${key}`).sort();

/** Over 1 MB, so that it is not kept in memory. */
const LARGE = `CREATE TABLE orders (id bigint PRIMARY KEY, status text);
  INSERT INTO orders SELECT g, 'paid ' || repeat('x', 80) FROM generate_series(1, 20000) g`;

const CONNECTIONS = `SELECT 1 / (count(*) = `;

async function expectConnections(db: TestDatabase, count: number): Promise<void> {
  await db.run(
    `${CONNECTIONS}${count})::int FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'webhook-replay'`,
  );
}

describe.skipIf(engine.server === undefined)('a Postgres source', () => {
  it.each([
    ['bigint', '9223372036854775807', 9223372036854775807n],
    ['bigint', '42', 42],
    ['smallint', '-7', -7],
    ['numeric', '12345678901234567890.123456789', '12345678901234567890.123456789'],
    ['double precision', '0.1', 0.1],
    ['double precision', 'NaN', 'NaN'],
    ['real', '16777216', 16777216],
    ['boolean', 'true', true],
    ['bytea', '\\x00ff', { bytes: '00ff' }],
    ['text', 'ö, "s"', 'ö, "s"'],
    ['timestamptz', '2026-01-05 10:00:00.123456+02', '2026-01-05 08:00:00.123456+00'],
    ['timestamp', 'infinity', 'infinity'],
    ['date', '0044-03-15 BC', '0044-03-15 BC'],
    ['interval', '1 day 00:00:01.5', 'P1DT1.5S'],
    ['json', '{"a": 1.0}', '{"a": 1.0}'],
    ['jsonb', '{"n": 9007199254740993}', '{"n": 9007199254740993}'],
    ['bigint[]', '{1,NULL,9007199254740993}', '{1,NULL,9007199254740993}'],
    ['uuid', '123e4567-e89b-12d3-a456-426614174000', '123e4567-e89b-12d3-a456-426614174000'],
  ])('reads %s %s exactly', async (type, text, cell) => {
    const db = await create();
    await db.run(`CREATE TABLE t (id int PRIMARY KEY, v ${type})`, `INSERT INTO t VALUES (1, '${text}'), (2, NULL)`);
    const { collections } = await (await open(`${db.url}#t`)).read();
    expect(collections[0]?.rows).toEqual([
      { key: '1', cells: { id: 1, v: cell } },
      { key: '2', cells: { id: 2, v: null } },
    ]);
  });

  it('reads every table of the user, and names those outside of the search path with their schema', async () => {
    const db = await create();
    await db.run(
      'CREATE TABLE b (x int)',
      'CREATE SCHEMA audit',
      'CREATE TABLE audit.log (x int)',
      'CREATE VIEW v AS SELECT 1',
    );
    const { collections } = await (await open(db.url)).read();
    expect(collections.map(({ name }) => name)).toEqual(['b', 'audit.log']);
    const named = await (await open(`${db.url}#AUDIT.Log,v`)).read();
    expect(named.collections.map(({ name }) => name)).toEqual(['audit.log', 'v']);
  });

  it('sees what a small table gains and loses, over one connection', async () => {
    const db = await create();
    await db.run('CREATE TABLE t (id int PRIMARY KEY, n int)', 'INSERT INTO t VALUES (1, 1), (2, 2), (3, 3)');
    const probe = await open(db.url);
    await probe.moments?.hold();
    await db.run('UPDATE t SET n = 9 WHERE id = 1', 'DELETE FROM t WHERE id = 2', 'INSERT INTO t VALUES (4, 4)');
    expect(await short(probe)).toEqual(['added t 4', 'changed t 1', 'removed t 2']);
    await expectConnections(db, 1);
  });

  it('counts rows that no key tells apart', async () => {
    const db = await create();
    await db.run('CREATE TABLE t (x text)', "INSERT INTO t VALUES ('a'), ('a'), ('b')");
    const probe = await open(db.url);
    await probe.moments?.hold();
    await db.run("INSERT INTO t VALUES ('a')", "DELETE FROM t WHERE x = 'b'");
    expect(await short(probe)).toEqual(['added t a (3)', 'removed t b']);
  });

  it('finds old and new values in a large table, and nothing in rows that were only locked or rolled back', async () => {
    const db = await create();
    await db.run(LARGE);
    const probe = await open(db.url);
    const other = await db.connect();
    await other.run('BEGIN');
    await other.run('SAVEPOINT a');
    await other.run("UPDATE orders SET status = 'in progress' WHERE id = 5");
    await probe.moments?.hold();
    await other.run('COMMIT');
    await db.run(
      "UPDATE orders SET status = 'shipped' WHERE id = 10000",
      'DELETE FROM orders WHERE id = 7',
      "INSERT INTO orders VALUES (20001, 'new')",
      'SELECT * FROM orders WHERE id = 8 FOR UPDATE',
      'BEGIN',
      "UPDATE orders SET status = 'never' WHERE id = 9",
      'ROLLBACK',
    );
    expect(await short(probe)).toEqual([
      'added orders 20001',
      'changed orders 10000',
      'changed orders 5',
      'removed orders 7',
    ]);
    const changed = (await changesOf(probe)).find(({ key }) => key === '10000');
    expect(changed).toMatchObject({ before: { status: `paid ${'x'.repeat(80)}` }, after: { status: 'shipped' } });
  });

  it('looks into the parts of a large table', async () => {
    const db = await create();
    await db.run(
      'CREATE TABLE orders (id bigint PRIMARY KEY, status text) PARTITION BY RANGE (id)',
      'CREATE TABLE orders_1 PARTITION OF orders FOR VALUES FROM (1) TO (10001)',
      'CREATE TABLE orders_2 PARTITION OF orders FOR VALUES FROM (10001) TO (99999)',
      "INSERT INTO orders SELECT g, repeat('x', 80) FROM generate_series(1, 20000) g",
    );
    const probe = await open(db.url);
    await probe.moments?.hold();
    await db.run("UPDATE orders SET status = 'a' WHERE id IN (1, 10001)");
    expect(await short(probe)).toEqual(['changed orders 1', 'changed orders 10001']);
  });

  it('keeps nobody from changing a large table itself, and says that it was written anew', async () => {
    const db = await create();
    await db.run(LARGE);
    const probe = await open(db.url);
    await probe.moments?.hold();
    expect(await changesOf(probe)).toEqual([]);
    await db.run("SET lock_timeout = '2s'", 'TRUNCATE orders');
    await expect(changesOf(probe)).rejects.toMatchObject({
      exitCode: 3,
      message: expect.stringContaining('orders was dropped, truncated'),
    });
  });

  it('has another version as soon as a commit can be seen, and the same one until then', async () => {
    const db = await create();
    await db.run('CREATE TABLE t (x int)');
    const probe = await open(db.url);
    const other = await db.connect();
    await other.run('BEGIN');
    await other.run('INSERT INTO t VALUES (1)');
    const before = await probe.version?.();
    await other.run('COMMIT');
    expect(await probe.version?.()).not.toBe(before);
  });

  it('leaves no connection behind', async () => {
    const db = await create();
    await db.run(LARGE);
    const probe = await open(db.url);
    await probe.moments?.hold();
    await expectConnections(db, 2);
    await probe.close();
    await expect
      .poll(() =>
        expectConnections(db, 0).then(
          () => true,
          () => false,
        ),
      )
      .toBe(true);
  });

  it('tells of a connection that was lost once, and begins the next moment with a new one', async () => {
    const db = await create();
    await db.run(LARGE);
    const probe = await open(db.url);
    await probe.moments?.hold();
    await db.run(
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'webhook-replay' AND datname = current_database()",
    );
    await expect(changesOf(probe)).rejects.toMatchObject({
      exitCode: 3,
      message: expect.stringContaining('does not answer'),
    });
    await probe.moments?.hold();
    expect(await changesOf(probe)).toEqual([]);
  });

  it('lists what there is when a table is not', async () => {
    const db = await create();
    await db.run('CREATE TABLE orders (x int)');
    await expect(open(`${db.url}#order`)).rejects.toMatchObject({
      exitCode: 3,
      message: expect.stringContaining('has no table "order"'),
      hint: 'It has: orders.',
    });
  });

  it('says which privilege is missing, and hides no rows behind a policy', async () => {
    const db = await create();
    const role = `wr_role_${randomUUID().slice(0, 8)}`;
    await db.run('CREATE TABLE orders (x int)', 'CREATE TABLE mine (x int)', 'INSERT INTO mine VALUES (1)');
    await db.run(`CREATE ROLE ${role} LOGIN PASSWORD 'hunter2'`, `GRANT SELECT ON mine TO ${role}`);
    onTestFinished(() => db.run(`DROP OWNED BY ${role}`, `DROP ROLE ${role}`));
    const url = db.urlFor(role, 'hunter2');
    await expect(open(url)).rejects.toMatchObject({
      exitCode: 3,
      message: expect.stringContaining('SELECT on public.orders is missing'),
    });
    expect((await (await open(`${url}#mine`)).read()).collections[0]?.rows).toHaveLength(1);
    await db.run('ALTER TABLE mine ENABLE ROW LEVEL SECURITY');
    const probe = await open(`${url}#mine`);
    await expect(probe.read()).rejects.toMatchObject({ hint: expect.stringContaining('BYPASSRLS') });
  });

  it('says that there is no such database, without the password', async () => {
    const db = await create();
    const url = db.url.replace(/[^/]+$/, 'wr_nowhere');
    await expect(open(url)).rejects.toMatchObject({
      exitCode: 3,
      message: expect.stringContaining('has no database "wr_nowhere"'),
    });
  });
});
