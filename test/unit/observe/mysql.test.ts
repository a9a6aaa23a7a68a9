import { randomUUID } from 'node:crypto';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Probe } from '../../../src/model/effect.ts';
import { diffSnapshots } from '../../../src/observe/diff.ts';
import { openProbe } from '../../../src/observe/sources.ts';
import { systemClock } from '../../../src/support/clock.ts';
import { engineOf } from '../../support/databases.ts';

const engine = await engineOf('mysql');
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

/** More rows than are kept in memory. */
const large = (columns: string, values: string) => [
  `CREATE TABLE orders (${columns})`,
  `INSERT INTO orders WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 900),
     m(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM m WHERE i < 20) SELECT ${values} FROM n, m`,
];
const NUMBER = '(n.i + 900 * (m.i - 1))';

describe.skipIf(engine.server === undefined)('a MySQL source', () => {
  it.each([
    ['bigint unsigned', '18446744073709551615', 18446744073709551615n],
    ['bigint', '-42', -42],
    ['tinyint(1)', '1', 1],
    ['decimal(30,9)', '123456789012345678901.123456789', '123456789012345678901.123456789'],
    ['double', '0.1', 0.1],
    ['float', '16777216', 16777216],
    ['varbinary(4)', "x'00ff'", { bytes: '00ff' }],
    ['blob', "x'00ff'", { bytes: '00ff' }],
    ['text', "'ö 💶'", 'ö 💶'],
    ['datetime(6)', "'2026-01-05 10:00:00.123456'", '2026-01-05 10:00:00.123456'],
    ['timestamp(3)', "'2026-01-05 10:00:00.123'", '2026-01-05 10:00:00.123'],
    ['date', "'9999-12-31'", '9999-12-31'],
    ['time', "'-12:00:01'", '-12:00:01'],
    ['bit(9)', "b'100000001'", { bytes: '0101' }],
    ['json', `'{"n": 9007199254740993}'`, '{"n": 9007199254740993}'],
    ["enum('a','b')", "'b'", 'b'],
  ])('reads %s %s exactly', async (type, value, cell) => {
    const db = await create();
    await db.run(
      "SET time_zone = '+00:00', NAMES utf8mb4",
      `CREATE TABLE t (id int PRIMARY KEY, v ${type} NULL) CHARACTER SET utf8mb4`,
      `INSERT INTO t VALUES (1, ${value}), (2, NULL)`,
    );
    const { collections } = await (await open(`${db.url}#t`)).read();
    expect(collections[0]?.rows).toEqual([
      { key: '1', cells: { id: 1, v: cell } },
      { key: '2', cells: { id: 2, v: null } },
    ]);
  });

  it('sees what a small table gains and loses, with a key of several columns and with none', async () => {
    const db = await create();
    await db.run(
      'CREATE TABLE t (a varchar(9), b int, n int, PRIMARY KEY (b, a))',
      "INSERT INTO t VALUES ('x', 1, 1), ('x', 2, 2)",
      'CREATE TABLE u (x text)',
      "INSERT INTO u VALUES ('a')",
    );
    const probe = await open(db.url);
    await probe.moments?.hold();
    await db.run('UPDATE t SET n = 9 WHERE b = 1', 'DELETE FROM t WHERE b = 2', "INSERT INTO u VALUES ('a')");
    expect(await short(probe)).toEqual(['added u a (2)', 'changed t (1, x)', 'removed t (2, x)']);
  });

  it.each([
    ['numbers', 'id bigint PRIMARY KEY, status varchar(20)', `${NUMBER}, 'paid'`, (id: number) => String(id)],
    [
      'numbers far apart',
      'id bigint PRIMARY KEY, status varchar(20)',
      `IF(${NUMBER} = 1, 1, 700000000000000000 + ${NUMBER}), 'paid'`,
      (id: number) => (id === 1 ? '1' : `7000000000000${String(id).padStart(5, '0')}`),
    ],
    [
      'texts',
      'id varchar(20) PRIMARY KEY, status varchar(20)',
      `CONCAT('o', ${NUMBER}), 'paid'`,
      (id: number) => `o${id}`,
    ],
  ])('finds old and new values in a large table whose keys are %s', async (_what, columns, values, keyOf) => {
    const db = await create();
    await db.run(...large(columns, values));
    const probe = await open(db.url);
    await probe.moments?.hold();
    expect(await changesOf(probe)).toEqual([]);
    await db.run(
      `UPDATE orders SET status = 'a' WHERE id = '${keyOf(500)}'`,
      `UPDATE orders SET status = NULL WHERE id = '${keyOf(501)}'`,
      `DELETE FROM orders WHERE id = '${keyOf(7)}'`,
      `INSERT INTO orders VALUES ('${keyOf(18001)}', 'new')`,
    );
    expect(await short(probe)).toEqual([
      `added orders ${keyOf(18001)}`,
      `changed orders ${keyOf(500)}`,
      `changed orders ${keyOf(501)}`,
      `removed orders ${keyOf(7)}`,
    ]);
    const changed = (await changesOf(probe)).find(({ key }) => key === keyOf(500));
    expect(changed).toMatchObject({ before: { status: 'paid' }, after: { status: 'a' } });
  });

  it('sees two rows of a large table that change places', async () => {
    const db = await create();
    await db.run(
      ...large('id bigint PRIMARY KEY, status varchar(20)', `${NUMBER}, 'paid'`),
      "UPDATE orders SET status = 'open' WHERE id = 500",
    );
    const probe = await open(db.url);
    await probe.moments?.hold();
    await db.run("UPDATE orders SET status = IF(id = 500, 'paid', 'open') WHERE id IN (500, 501)");
    expect(await short(probe)).toEqual(['changed orders 500', 'changed orders 501']);
  });

  it('keeps nobody from changing a large table itself, and says that it was written anew', async () => {
    const db = await create();
    await db.run(...large('id bigint PRIMARY KEY, status varchar(20)', `${NUMBER}, 'paid'`));
    const probe = await open(db.url);
    await probe.moments?.hold();
    expect(await changesOf(probe)).toEqual([]);
    await db.run('SET lock_wait_timeout = 2', 'TRUNCATE orders');
    await expect(changesOf(probe)).rejects.toMatchObject({
      exitCode: 3,
      message: expect.stringContaining('truncated'),
    });
  });

  it('has another version after a commit', async () => {
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

  it('has another version at each look where a table tells of no commits', async () => {
    const db = await create();
    await db.run('CREATE TABLE t (x int) ENGINE = MyISAM');
    const probe = await open(db.url);
    expect(await probe.version?.()).not.toBe(await probe.version?.());
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

  it('says which privilege is missing', async () => {
    const db = await create();
    const user = `wr_${randomUUID().slice(0, 8)}`;
    await db.run(
      'CREATE TABLE orders (x int)',
      'CREATE TABLE mine (x int)',
      `CREATE USER ${user} IDENTIFIED BY 'hunter2'`,
    );
    onTestFinished(() => db.run(`DROP USER ${user}`));
    await db.run(`GRANT INSERT ON orders TO ${user}`, `GRANT SELECT ON mine TO ${user}`);
    const url = db.urlFor(user, 'hunter2');
    const lacks = { exitCode: 3, message: expect.stringMatching(/SELECT on \w+\.orders is missing/) };
    await expect(open(url)).rejects.toMatchObject(lacks);
    await expect(open(`${url}#orders`)).rejects.toMatchObject(lacks);
    expect((await (await open(`${url}#mine`)).read()).collections).toHaveLength(1);
  });

  it('says that there is no such database, without the password', async () => {
    const db = await create();
    const url = db.urlFor('root', '').replace(/[^/]+$/, 'wr_nowhere');
    await expect(open(url)).rejects.toMatchObject({
      exitCode: 3,
      message: expect.stringContaining('has no database "wr_nowhere"'),
    });
  });
});
