import { randomUUID } from 'node:crypto';
import { createConnection } from 'mysql2/promise';
import pg from 'pg';
import { diffSnapshots } from '../src/observe/diff.ts';
import { openProbe } from '../src/observe/sources.ts';
import { systemClock } from '../src/support/clock.ts';

const ROWS = 1_000_000;

export type RowFigures = {
  readonly engine: 'postgres' | 'mysql';
  /** Until the earlier moment is held. */
  readonly holdMs: number;
  /** From asking what differs until added, changed and removed are known: the first time and, for the same moment, again. */
  readonly differenceMs: number;
  readonly againMs: number;
  /** What the process took at most, of which this is what it had taken before. */
  readonly rssMb: number;
  readonly rssBeforeMb: number;
  /** As it should be: one row added, one changed, one removed. */
  readonly isRight: boolean;
};

/**
 * Builds a table of 1,000,000 rows in a database of its own, changes three rows and measures how long it takes to see that.
 *
 * @param url a database whose user may create databases
 */
export async function measureRows(url: string): Promise<RowFigures> {
  const engine = url.startsWith('mysql:') ? 'mysql' : 'postgres';
  const name = `wr_bench_${randomUUID().slice(0, 8)}`;
  const open = engine === 'mysql' ? openMysql : openPostgres;
  const admin = await open(url);
  await admin.run(`CREATE DATABASE ${name}`);
  const own = new URL(url);
  own.pathname = `/${name}`;
  try {
    const session = await open(own.href);
    try {
      for (const statement of BUILD[engine]) await session.run(statement);
      return { engine, ...(await measure(own.href, session)) };
    } finally {
      await session.end();
    }
  } finally {
    await admin.run(`DROP DATABASE ${name}`);
    await admin.end();
  }
}

const COLUMNS = 'status varchar(20) NOT NULL, amount numeric(12, 2) NOT NULL, email varchar(80)';

const BUILD = {
  postgres: [
    `CREATE TABLE orders (id bigint PRIMARY KEY, ${COLUMNS}, paid_at timestamptz)`,
    `INSERT INTO orders SELECT g, 'paid', g / 100.0, 'buyer' || g || '@shop.test', now() FROM generate_series(1, ${ROWS}) g`,
  ],
  mysql: [
    `CREATE TABLE orders (id bigint PRIMARY KEY, ${COLUMNS}, paid_at datetime(6))`,
    `INSERT INTO orders WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000), m(i) AS (SELECT i FROM n)
      SELECT n.i + 1000 * (m.i - 1), 'paid', n.i / 100, CONCAT('buyer', n.i, '-', m.i, '@shop.test'), NOW(6) FROM n, m`,
  ],
};

const CHANGES = [
  `UPDATE orders SET status = 'shipped' WHERE id = ${ROWS / 2}`,
  'DELETE FROM orders WHERE id = 7',
  `INSERT INTO orders VALUES (${ROWS + 1}, 'paid', 1, NULL, NULL)`,
];

type Session = { readonly run: (sql: string) => Promise<unknown>; readonly end: () => Promise<void> };

async function measure(url: string, session: Session): Promise<Omit<RowFigures, 'engine'>> {
  const rssBeforeMb = rssMb();
  const probe = await openProbe(`${url}#orders`, { cwd: '.', env: {}, clock: systemClock });
  try {
    const moments = probe.moments;
    if (!moments) throw new Error('The probe keeps no moments.');
    let highestMb = rssBeforeMb;
    const timed = async <T>(work: () => Promise<T>) => {
      const startMs = systemClock.now();
      const value = await work();
      highestMb = Math.max(highestMb, rssMb());
      return { value, ms: Math.round(systemClock.now() - startMs) };
    };
    const difference = async () => {
      const { before, after } = await moments.compare();
      return diffSnapshots(before, after, 'orders').map(({ kind, key }) => `${kind} ${key}`);
    };
    const hold = await timed(moments.hold);
    for (const change of CHANGES) await session.run(change);
    const first = await timed(difference);
    const again = await timed(difference);
    const wanted = ['added 1000001', 'changed 500000', 'removed 7'].join();
    const isRight = [first, again].every(({ value }) => [...value].sort().join() === wanted);
    return { holdMs: hold.ms, differenceMs: first.ms, againMs: again.ms, rssMb: highestMb, rssBeforeMb, isRight };
  } finally {
    await probe.close();
  }
}

function rssMb(): number {
  return Math.round(process.memoryUsage.rss() / 1e6);
}

async function openPostgres(url: string): Promise<Session> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  return { run: (sql) => client.query(sql), end: () => client.end() };
}

async function openMysql(url: string): Promise<Session> {
  const client = await createConnection({ uri: url });
  return { run: (sql) => client.query(sql), end: () => client.end() };
}
