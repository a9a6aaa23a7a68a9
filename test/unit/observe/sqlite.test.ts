import { mkdtempSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Probe } from '../../../src/model/effect.ts';
import { diffSnapshots } from '../../../src/observe/diff.ts';
import { createObserver } from '../../../src/observe/observer.ts';
import { openProbe } from '../../../src/observe/sources.ts';
import { type Clock, systemClock, virtualClock } from '../../../src/support/clock.ts';
import { type SqliteWriter, startSqliteWriter } from '../../support/sqlite-writer.ts';

let cwd: string;
let closing: Array<() => unknown>;
const file = () => join(cwd, 'app.db');

beforeEach(() => {
  cwd = mkdtempSync(join(tmpdir(), 'observe-'));
  closing = [() => rmSync(cwd, { recursive: true, force: true })];
});

afterEach(async () => {
  for (const close of closing.reverse()) await close();
});

/** What is opened here is closed after the test. */
async function open(source: string, clock: Clock = systemClock): Promise<Probe> {
  const probe = await openProbe(source, { cwd, env: {}, clock });
  closing.push(probe.close);
  return probe;
}

async function writer(timeoutMs?: number): Promise<SqliteWriter> {
  const started = await startSqliteWriter(file(), timeoutMs);
  closing.push(started.close);
  return started;
}

function write(sql: string): void {
  const db = new Database(file());
  db.exec(sql);
  db.close();
}

async function rowsOf(source: string) {
  const { collections } = await (await open(source)).read();
  return collections[0]?.rows;
}

describe('a SQLite source', () => {
  it('reads rows by their primary key, one column or several', async () => {
    write(`CREATE TABLE orders (id INTEGER PRIMARY KEY, ref TEXT); INSERT INTO orders VALUES (7, 'a'), (9, 'b');
           CREATE TABLE lines (ref TEXT, pos INT, n INT, PRIMARY KEY (ref, pos)); INSERT INTO lines VALUES ('a', 1, 5);`);
    expect(await rowsOf('sqlite:app.db#orders')).toEqual([
      { key: '7', cells: { id: 7, ref: 'a' } },
      { key: '9', cells: { id: 9, ref: 'b' } },
    ]);
    expect(await rowsOf('sqlite:app.db#lines')).toEqual([{ key: '(a, 1)', cells: { ref: 'a', pos: 1, n: 5 } }]);
  });

  it('orders a composite key as the key does, not as the columns stand', async () => {
    write(`CREATE TABLE t (a TEXT, b TEXT, PRIMARY KEY (b, a)) WITHOUT ROWID; INSERT INTO t VALUES ('1st', '2nd');`);
    expect(await rowsOf('sqlite:app.db#t')).toMatchObject([{ key: '(2nd, 1st)' }]);
  });

  it('reads rows by rowid where there is no primary key, also when a column is called so', async () => {
    write(`CREATE TABLE a (x); INSERT INTO a VALUES ('same'), ('same');
           CREATE TABLE b (rowid TEXT); INSERT INTO b VALUES ('same'), ('same');`);
    expect((await rowsOf('sqlite:app.db#a'))?.map(({ key }) => key)).toEqual(['rowid 1', 'rowid 2']);
    expect(await rowsOf('sqlite:app.db#b')).toEqual([
      { key: 'rowid 1', cells: { rowid: 'same' } },
      { key: 'rowid 2', cells: { rowid: 'same' } },
    ]);
  });

  it('loses no row whose key is NULL, or is a text that looks like the number beside it', async () => {
    write(`CREATE TABLE t (k PRIMARY KEY, n); INSERT INTO t VALUES (NULL, 1), (NULL, 2), (1, 3), ('1', 4);`);
    const rows = await rowsOf('sqlite:app.db#t');
    expect(rows?.map(({ key }) => key)).toEqual(['rowid 1', 'rowid 2', '1', '"1"']);
  });

  it('loses no row of a view, where nothing names rows', async () => {
    write(`CREATE TABLE t (n); INSERT INTO t VALUES (1), (1), (2); CREATE VIEW v AS SELECT n FROM t;`);
    expect((await rowsOf('sqlite:app.db#v'))?.map(({ key }) => key)).toEqual(['1', '1 (2)', '2']);
  });

  it('keeps every value exact: 64-bit integers, bytes, reals, text and NULL', async () => {
    write(`CREATE TABLE t (id INTEGER PRIMARY KEY, a, b, c, d, e, f AS (a || '!') STORED);
           INSERT INTO t VALUES (9007199254740993, 9007199254740992, x'00ff', 1.5, 'ö', NULL);
           INSERT INTO t VALUES (-9223372036854775808, 9007199254740991, x'', -0.25, '', 0);`);
    expect(await rowsOf('sqlite:app.db#t')).toEqual([
      {
        key: '-9223372036854775808',
        cells: {
          id: -9223372036854775808n,
          a: 9007199254740991,
          b: { bytes: '' },
          c: -0.25,
          d: '',
          e: 0,
          f: '9007199254740991!',
        },
      },
      {
        key: '9007199254740993',
        cells: {
          id: 9007199254740993n,
          a: 9007199254740992n,
          b: { bytes: '00ff' },
          c: 1.5,
          d: 'ö',
          e: null,
          f: '9007199254740992!',
        },
      },
    ]);
  });

  it('takes every table of the user, and none of those that SQLite keeps for itself', async () => {
    write(`CREATE TABLE "odd ""name" (id INTEGER PRIMARY KEY AUTOINCREMENT); CREATE TABLE b (x);
           CREATE VIEW v AS SELECT * FROM b; CREATE VIRTUAL TABLE f USING fts5(text);`);
    const { collections } = await (await open('sqlite:app.db')).read();
    expect(collections.map(({ name }) => name)).toEqual(['b', 'odd "name']);
  });

  it('finds tables in any letter case and calls them by their own name', async () => {
    write('CREATE TABLE Orders (id INTEGER PRIMARY KEY); CREATE TABLE b (x);');
    const { collections } = await (await open('sqlite:app.db#ORDERS,b')).read();
    expect(collections.map(({ name }) => name)).toEqual(['Orders', 'b']);
  });

  it('sees a table that appears later', async () => {
    write('CREATE TABLE a (x)');
    const probe = await open('sqlite:app.db');
    const before = await probe.read();
    write('CREATE TABLE later (x); INSERT INTO later VALUES (1)');
    expect(diffSnapshots(before, await probe.read(), 'app')).toMatchObject([{ kind: 'added', collection: 'later' }]);
  });

  it('takes an empty file for a database without tables', async () => {
    writeFileSync(file(), '');
    expect((await (await open('sqlite:app.db')).read()).collections).toEqual([]);
  });

  it('names the file that is not there', async () => {
    await expect(open('sqlite:nowhere.db#orders')).rejects.toMatchObject({
      exitCode: 3,
      message: expect.stringContaining(`"nowhere.db" (${join(cwd, 'nowhere.db')})`),
    });
  });

  it('names the tables there are when one is not', async () => {
    write('CREATE TABLE orders (x); CREATE TABLE mails (x);');
    await expect(open('sqlite:app.db#order')).rejects.toMatchObject({
      exitCode: 3,
      message: '"app.db" has no table "order".',
      hint: 'It has: mails, orders.',
    });
  });

  it('says so when the file is no SQLite file', async () => {
    writeFileSync(file(), 'x'.repeat(4096));
    await expect(open('sqlite:app.db')).rejects.toMatchObject({
      exitCode: 3,
      message: expect.stringContaining('SQLITE_NOTADB'),
    });
  });
});

describe.each(['WAL', 'DELETE', 'TRUNCATE', 'PERSIST', 'MEMORY'])('a SQLite file in journal mode %s', (mode) => {
  const prepare = async (timeoutMs?: number) => {
    const receiver = await writer(timeoutMs);
    await receiver.run(`db.pragma('journal_mode = ${mode}'); db.pragma('synchronous = OFF');
      db.exec('CREATE TABLE orders (id INTEGER PRIMARY KEY, n INT, note TEXT)')`);
    return { receiver, probe: await open('sqlite:app.db#orders') };
  };

  it('changes its version with every commit of another process, however fast they follow', async () => {
    const { receiver, probe } = await prepare();
    for (let round = 1; round <= 20; round++) {
      const version = await probe.version?.();
      const before = await probe.read();
      await receiver.run(`db.exec('INSERT INTO orders (n) VALUES (${round})')`);
      expect(await probe.version?.()).not.toBe(version);
      expect(diffSnapshots(before, await probe.read(), 'x')).toHaveLength(1);
    }
  });

  it('never makes a writer fail that does not wait for locks, and shows only whole transactions', async () => {
    const { receiver, probe } = await prepare();
    // Two rows that stand on pages far apart: their sum is 0 between transactions and nowhere within one.
    await receiver.run(`db.exec("WITH RECURSIVE c(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM c WHERE i < 400)
      INSERT INTO orders SELECT i, 0, hex(zeroblob(500)) FROM c")`);
    let writing = true;
    const written = receiver
      .run(`let failed = 0; const end = Date.now() + 700; let n = 0;
        while (n <= 100 || Date.now() < end) { n++;
          try { db.transaction(() => { db.exec('UPDATE orders SET n = n + 1 WHERE id = 1'); db.exec('UPDATE orders SET n = n - 1 WHERE id = 400'); })() }
          catch (error) { failed++ }
          await sleep(0) }
        return { n, failed }`)
      .finally(() => {
        writing = false;
      });
    let reads = 0;
    while (writing) {
      await probe.version?.();
      const { collections } = await probe.read();
      const rows = collections[0]?.rows ?? [];
      expect(rows.reduce((sum, { cells }) => sum + Number(cells['n']), 0)).toBe(0);
      reads++;
    }
    const { n, failed } = (await written) as { readonly n: number; readonly failed: number };
    expect(failed).toBe(0);
    expect(n).toBeGreaterThan(100);
    expect(reads).toBeGreaterThan(3);
  });

  it('shows nothing of a transaction that is still open, and does not wait for its end', async () => {
    const { receiver, probe } = await prepare();
    await receiver.run(`db.exec('BEGIN IMMEDIATE'); db.exec('INSERT INTO orders (n) VALUES (1)')`);
    const startMs = performance.now();
    expect((await probe.read()).collections[0]?.rows).toEqual([]);
    expect(performance.now() - startMs).toBeLessThan(2000);
    await receiver.run(`db.exec('COMMIT')`);
    expect((await probe.read()).collections[0]?.rows).toHaveLength(1);
  });

  it('is observed until quiet while another process writes', async () => {
    const { receiver, probe } = await prepare();
    const observer = createObserver([probe], systemClock);
    await observer.begin();
    const written = receiver.run(`await sleep(30); db.exec('INSERT INTO orders (n) VALUES (1)');
      await sleep(300); db.exec('UPDATE orders SET n = 2'); await sleep(300); db.exec('INSERT INTO orders (n) VALUES (3)')`);
    const seen = await observer.settle({ quietMs: 500, maxMs: 10_000, firstMs: 5000 });
    await written;
    expect(seen).toMatchObject({ quiet: true, effects: [{ after: { id: 1, n: 2 } }, { after: { id: 2, n: 3 } }] });
  });
});

describe('a SQLite source over time', () => {
  it('trusts the time of a file only when it is older than what a file system can tell apart', async () => {
    write('CREATE TABLE t (n)');
    const writtenMs = statSync(file()).mtimeMs;
    let nowMs = writtenMs + 1;
    const probe = await open('sqlite:app.db', { ...systemClock, epochMs: () => nowMs });
    const young = await probe.version?.();
    expect(await probe.version?.()).not.toBe(young);
    nowMs = writtenMs + 100;
    const old = await probe.version?.();
    expect(old).not.toBe(young);
    expect(await probe.version?.()).toBe(old);
  });

  it('follows a file that was replaced by another, in either journal mode', async () => {
    for (const mode of ['WAL', 'DELETE']) {
      write(`PRAGMA journal_mode = ${mode}; CREATE TABLE t (n); INSERT INTO t VALUES (1)`);
      const probe = await open('sqlite:app.db');
      await probe.read();
      const version = await probe.version?.();
      for (const suffix of ['', '-wal', '-shm']) rmSync(`${file()}${suffix}`, { force: true });
      write(`PRAGMA journal_mode = ${mode}; CREATE TABLE t (n); INSERT INTO t VALUES (2)`);
      expect(await probe.version?.()).not.toBe(version);
      expect((await probe.read()).collections[0]?.rows).toMatchObject([{ cells: { n: 2 } }]);
      await probe.close();
      for (const suffix of ['', '-wal', '-shm']) rmSync(`${file()}${suffix}`, { force: true });
    }
  });

  it('follows a file from a rollback journal to WAL', async () => {
    const receiver = await writer();
    await receiver.run(`db.exec('CREATE TABLE t (n)')`);
    const probe = await open('sqlite:app.db');
    await probe.read();
    await receiver.run(`db.pragma('journal_mode = WAL'); db.exec('INSERT INTO t VALUES (1)')`);
    expect((await probe.read()).collections[0]?.rows).toHaveLength(1);
    const version = await probe.version?.();
    await receiver.run(`db.exec('INSERT INTO t VALUES (2)')`);
    expect(await probe.version?.()).not.toBe(version);
    expect((await probe.read()).collections[0]?.rows).toHaveLength(2);
  });

  // From 3.51 on SQLite notices that a reader has lost its lock; a receiver with an older one removes the log under it.
  it.skipIf(process.platform !== 'linux')('does not lose the lock of one source on a WAL file to another', async () => {
    write('PRAGMA journal_mode = WAL; CREATE TABLE a (n); CREATE TABLE b (n)');
    const lock = new RegExp(`POSIX .* ${process.pid} \\S+:${statSync(file()).ino} `);
    await open('sqlite:app.db#a');
    expect(readFileSync('/proc/locks', 'utf8')).toMatch(lock);
    await open('sqlite:app.db#b');
    expect(readFileSync('/proc/locks', 'utf8')).toMatch(lock);
  });

  it('waits for a lock that passes', async () => {
    const receiver = await writer();
    await receiver.run(`db.pragma('journal_mode = WAL'); db.exec('CREATE TABLE t (n)')`);
    const probe = await open('sqlite:app.db');
    const locked = receiver.run(
      `db.pragma('locking_mode = EXCLUSIVE'); db.exec('BEGIN EXCLUSIVE; INSERT INTO t VALUES (1)'); await sleep(300); db.exec('COMMIT'); db.pragma('locking_mode = NORMAL'); db.prepare('SELECT * FROM t').all()`,
    );
    await locked.catch(() => {});
    expect((await probe.read()).collections).toHaveLength(1);
  });

  it('dies with a sentence when the file goes away', async () => {
    write('CREATE TABLE t (n)');
    const probe = await open('sqlite:app.db');
    renameSync(file(), join(cwd, 'elsewhere.db'));
    await expect(probe.read()).rejects.toMatchObject({
      exitCode: 3,
      message: expect.stringContaining('"app.db" is gone'),
    });
  });

  it('shows what was committed when the writer was killed in the middle of a transaction', async () => {
    const receiver = await writer();
    await receiver.run(`db.exec('CREATE TABLE t (n); INSERT INTO t VALUES (1)')`);
    const probe = await open('sqlite:app.db');
    await receiver.run(`db.exec('BEGIN; INSERT INTO t VALUES (2)')`);
    await receiver.kill();
    expect((await probe.read()).collections[0]?.rows).toHaveLength(1);
  });

  const SPILL = `db.pragma('cache_size = 2'); db.exec('BEGIN');
    for (let i = 0; i < 2000; i++) db.exec("INSERT INTO t VALUES ('" + 'x'.repeat(500) + "')")`;

  it('shows nothing of a transaction that has reached the file but is not committed', async () => {
    const receiver = await writer();
    await receiver.run(`db.exec("CREATE TABLE t (n); INSERT INTO t VALUES ('first')")`);
    const probe = await open('sqlite:app.db');
    await receiver.run(SPILL);
    const read = probe.read();
    await receiver.run(`await sleep(400); db.exec('ROLLBACK')`);
    expect((await read).collections[0]?.rows).toHaveLength(1);
  });

  it('gives up with a sentence when a killed writer left half a transaction, and reads again once it was rolled back', async () => {
    const receiver = await writer();
    await receiver.run(`db.exec("CREATE TABLE t (n); INSERT INTO t VALUES ('first')")`);
    const probe = await open('sqlite:app.db', virtualClock());
    await receiver.run(SPILL);
    await receiver.kill();
    await expect(probe.read()).rejects.toMatchObject({
      exitCode: 3,
      message: expect.stringMatching(/^"app.db" could not be read for 10 s: /),
      hint: expect.stringContaining('died'),
    });
    const restarted = await writer();
    expect(await restarted.run(`return db.prepare('SELECT count(*) AS n FROM t').get().n`)).toBe(1);
    expect((await probe.read()).collections[0]?.rows).toHaveLength(1);
  });
});
