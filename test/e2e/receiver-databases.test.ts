import { EventEmitter, once } from 'node:events';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Db } from '../../src/fixtures/receivers/db.ts';
import { openPostgres } from '../../src/fixtures/receivers/db-postgres.ts';
import { openSqlite } from '../../src/fixtures/receivers/db-sqlite.ts';
import { FAULTS } from '../../src/fixtures/receivers/faults/faults.ts';
import { listen } from '../../src/fixtures/receivers/http.ts';
import { createLedgerLease, LEDGER_LEASE } from '../../src/fixtures/receivers/ledger-lease.ts';
import { renaming } from '../../src/fixtures/receivers/names.ts';
import { RECEIVERS, startReceiver } from '../../src/fixtures/receivers/start.ts';
import { freePort } from '../../src/receiver/free-port.ts';
import { runCli } from '../support/cli.ts';
import { engineOf } from '../support/databases.ts';
import { orderEvent } from '../support/order-event.ts';
import { query } from '../support/postgres.ts';
import { post, postTogether } from '../support/raw-post.ts';
import { startReceiverProcess } from '../support/receiver.ts';
import { tempFolder } from '../support/temp-folder.ts';

const folder = tempFolder();
const postgres = await engineOf('postgres');

/** Where a receiver may keep its rows, for the length of a test. */
const PLACES = {
  sqlite: async () => join(tempFolder(), 'receiver.db'),
  postgres: async () => (await postgres.create(onTestFinished)).url,
};
const DIALECTS = postgres.server === undefined ? (['sqlite'] as const) : (['sqlite', 'postgres'] as const);

const RIGHT = ['ledger-lease', 'transaction', 'layers'];

async function open(dialect: 'sqlite' | 'postgres'): Promise<Db> {
  const place = await PLACES[dialect]();
  const db = dialect === 'sqlite' ? openSqlite(place, undefined) : await openPostgres(place, undefined);
  onTestFinished(db.close);
  await db.run('CREATE TABLE notes (name TEXT PRIMARY KEY, size NUMERIC)');
  return db;
}

const names = async (db: Db) =>
  (await db.all<{ name: string }>('SELECT name FROM notes ORDER BY name')).map((row) => row.name);
const add = (db: Db, name: string) => db.run('INSERT INTO notes (name, size) VALUES (@name, 1)', { name });

describe.each(DIALECTS)('a database of a receiver on %s', (dialect) => {
  it('takes values by name, several times and among others', async () => {
    const db = await open(dialect);
    const insert = 'INSERT INTO notes (name, size) VALUES (@name, @size)';
    expect(await db.run(insert, { name: 'a', size: 7, other: 'x' })).toEqual({ changes: 1 });
    expect(await db.get('SELECT size FROM notes WHERE name = @name OR @name = name', { name: 'a' })).toEqual({
      size: 7,
    });
    expect(await db.get('SELECT size FROM notes WHERE name = @name', { name: 'b' })).toBeUndefined();
    await expect(db.run(insert, { name: 'b' })).rejects.toThrow('size');
    expect(await db.run('UPDATE notes SET size = 8 WHERE name = @name', { name: 'b' })).toEqual({ changes: 0 });
  });

  it('commits all of a transaction, or nothing of it', async () => {
    const db = await open(dialect);
    const both = (last: string) => async (transaction: Db) => {
      await add(transaction, last);
      await transaction.transaction((same) => add(same, `${last}${last}`));
      if (last === 'b') throw new Error('no more');
      return last;
    };
    expect(await db.transaction(both('a'))).toBe('a');
    await expect(db.transaction(both('b'))).rejects.toThrow('no more');
    expect(await names(db)).toEqual(['a', 'aa']);
    await add(db, 'c');
    expect(await names(db)).toEqual(['a', 'aa', 'c']);
  });

  it('shows nothing of an open transaction to others', async () => {
    const db = await open(dialect);
    const gate = new EventEmitter();
    const begun = once(gate, 'begun');
    const transaction = db.transaction(async (transaction) => {
      await add(transaction, 'a');
      gate.emit('begun');
      await once(gate, 'end');
      throw new Error('taken back');
    });
    await begun;
    const seen = names(db);
    gate.emit('end');
    await expect(transaction).rejects.toThrow('taken back');
    expect(await seen).toEqual([]);
    expect(await add(db, 'a')).toEqual({ changes: 1 });
  });
});

const PATIENCE = { timeout: 10_000 };

type Total = { readonly total: number | string };

describe.each(DIALECTS)('on %s', (dialect) => {
  it.each(RECEIVERS.map(({ name }) => name))('the receiver "%s" works under every seed of names', async (receiver) => {
    for (let seed = 1; seed <= 5; seed++) {
      const words = renaming(seed);
      const db = await PLACES[dialect]();
      const started = await startReceiver({ receiver, db, names: words, call: new URL('http://127.0.0.1:1/nobody') });
      onTestFinished(started.close);
      // Nobody answers the call. A queue has promised the work by then.
      const { status } = await post(started.url, orderEvent({ status: 'pending' }));
      expect(status).toBe(receiver === 'queue' ? 202 : 500);
      const orders = async () => (await fetch(new URL(`/${words.words['orders']}`, started.url))).json();
      await expect.poll(orders, PATIENCE).toMatchObject([{ [String(words.words['status'])]: 'pending' }]);
    }
  });

  it('"layers" keeps receipts, lets an update wait for its create, and forgets receipts after their time', async () => {
    const db = await PLACES[dialect]();
    const begin = async (afterMs: number) => {
      const now = () => Date.now() + afterMs;
      const started = await startReceiver({ receiver: 'layers', db, bufferMs: 3_600_000, now });
      onTestFinished(started.close);
      const receipt = async (id: string) => (await fetch(`${started.url}/webhooks/receipts/${id}`)).json();
      return { ...started, receipt };
    };
    const first = await begin(0);
    const update = orderEvent({ event: 'evt_2', type: 'order.updated', status: 'shipped', at: '11:00:00' });
    expect(await post(first.url, update)).toEqual({ status: 202, body: { status: 'buffered' } });
    expect(await first.receipt('evt_2')).toMatchObject({ status: 'received', processed_at: null });
    await post(first.url, orderEvent({ type: 'order.created', status: 'pending' }));
    expect(await first.receipt('evt_2')).toMatchObject({ status: 'processed', source: 'generic' });
    expect(await (await fetch(`${first.url}/orders`)).json()).toMatchObject([{ status: 'shipped', events: 2 }]);
    await first.close();
    const later = await begin(91 * 86_400_000);
    await expect.poll(() => later.receipt('evt_2'), PATIENCE).toHaveProperty('error');
  });

  it.each(FAULTS.map(({ id, base }) => [id, base]))('the fault "%s" does its work', async (fault, base) => {
    const started = await startReceiver({ fault, db: await PLACES[dialect]() });
    onTestFinished(started.close);
    const first = await post(started.url, orderEvent());
    const { status } = first.status === 500 ? await post(started.url, orderEvent()) : first;
    expect(status).toBe(base === 'queue' ? 202 : 200);
    const total = async () => Number(((await (await fetch(new URL('/totals', started.url))).json()) as Total).total);
    await expect.poll(total, PATIENCE).toBeGreaterThanOrEqual(500);
  });
});

describe.runIf(postgres.server)('webhook-replay receiver --db postgres://', () => {
  it.each(['ledger', ...RIGHT, 'ground-truth'])(
    '"%s" books an event once, however many copies come together',
    async (design) => {
      const db = await PLACES.postgres();
      const receiver = await startReceiverProcess(folder, [design, '--db', db]);
      for (let round = 1; round <= 10; round++) {
        const body = orderEvent({ event: `evt_${round}`, order: `ord_${round}` });
        const answers = await postTogether(receiver.url, Array(10).fill({ body }));
        expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(200));
      }
      expect(await (await fetch(new URL('/totals', receiver.url))).json()).toMatchObject({ total: 5000 });
    },
  );

  it.each(RIGHT)('"%s" makes one order of events that come together, and ends in the newest state', async (design) => {
    const receiver = await startReceiverProcess(folder, [design, '--db', await PLACES.postgres()]);
    for (let round = 1; round <= 5; round++) {
      const bodies = Array.from({ length: 8 }, (_, n) =>
        orderEvent({ event: `evt_${round}_${n}`, order: `ord_${round}`, status: `state_${n}`, at: `1${n}:00:00` }),
      );
      await postTogether(
        receiver.url,
        bodies.map((body) => ({ body })),
      );
    }
    const orders = await (await fetch(new URL('/orders', receiver.url))).json();
    expect(orders).toMatchObject(Array(5).fill({ events: 8, status: 'state_7' }));
  });

  it('"ledger-lease" counts an event once, although every claim on it is taken over', async () => {
    const db = await PLACES.postgres();
    // Over as soon as it is made: whoever comes later takes it, while the first is still at work.
    const lease = await createLedgerLease({ db }, { ...LEDGER_LEASE, leaseMs: -1 });
    const { port, close } = await listen(lease, { port: 0, host: '127.0.0.1' });
    onTestFinished(close);
    const url = `http://127.0.0.1:${port}/webhooks`;
    for (let round = 1; round <= 10; round++) {
      const body = orderEvent({ event: `evt_${round}`, order: `ord_${round}` });
      await postTogether(url, Array(10).fill({ body }));
      await expect.poll(async () => (await post(url, body)).status, { timeout: 10_000 }).toBe(200);
    }
    const orders = await (await fetch(new URL('/orders', url))).json();
    expect(orders).toMatchObject(Array(10).fill({ events: 1 }));
  });

  it('gives no table or column a name that PostgreSQL keeps for itself', async () => {
    const rows = await query("SELECT word FROM pg_get_keywords() WHERE catcode IN ('R', 'T')");
    const reserved = new Set(rows.map(({ word }) => word));
    const drawn = Array.from({ length: 200 }, (_, seed) => Object.values(renaming(seed).words)).flat();
    expect(drawn.filter((name) => reserved.has(name))).toEqual([]);
  });

  it('takes a text with a NUL, and an amount beyond 2^63', async () => {
    const receiver = await startReceiverProcess(folder, ['transaction', '--db', await PLACES.postgres()]);
    const odd = orderEvent().replace('buyer', 'buy\\u0000er').replace('500', '123456789012345678901');
    expect(await post(receiver.url, odd)).toMatchObject({ status: 200 });
  });

  it('takes the URL from the environment, and shows no password', async () => {
    const { url, run, urlFor } = await postgres.create(onTestFinished);
    const user = `wr_user_${new URL(url).pathname.slice(-8)}`;
    await run(`CREATE ROLE ${user} LOGIN PASSWORD 'se-cret'`, `GRANT ALL ON SCHEMA public TO ${user}`);
    onTestFinished(() => run(`DROP OWNED BY ${user}`, `DROP ROLE ${user}`));
    const env = { DATABASE_URL: urlFor(user, 'se-cret') };
    const receiver = await startReceiverProcess(folder, ['ledger', '--db', 'env:DATABASE_URL'], { env });
    expect(await post(receiver.url, orderEvent())).toMatchObject({ status: 200 });
    expect(receiver.stderr()).toContain('--effect postgres://***@');
    expect(receiver.stderr()).not.toContain('se-cret');
    await receiver.stop();
  });

  it('says so when nobody answers there', async () => {
    const db = `postgres://me:se-cret@127.0.0.1:${await freePort()}/shop`;
    const { code, stderr, stdout } = await runCli(['receiver', 'ledger', '--db', db], { cwd: folder });
    expect({ code, stdout }).toEqual({ code: 3, stdout: '' });
    expect(stderr).toMatch(
      /^error: The database "postgres:\/\/\*\*\*@127.0.0.1:\d+\/shop" cannot be used: .*ECONNREFUSED/,
    );
    expect(stderr).not.toContain('se-cret');
  });

  it('says so when the server has no such database', async () => {
    const db = `${postgres.server?.replace(/\/[^/]*$/, '')}/wr_there_is_none`;
    const { code, stderr } = await runCli(['receiver', 'ledger', '--db', db], { cwd: folder });
    expect(code).toBe(2);
    expect(stderr).toContain('database "wr_there_is_none" does not exist');
  });
});

describe.runIf(postgres.server)('test --effect postgres://, against a reference receiver there', () => {
  async function play(words: readonly string[], trials: readonly string[]) {
    const db = await PLACES.postgres();
    const receiver = await startReceiverProcess(folder, [...words, '--db', db]);
    const only = trials.flatMap((trial) => ['--only', trial]);
    const source = ['--provider', 'generic', '--effect', db, '--settle', '250ms', '--json'];
    const { stdout, code } = await runCli(['test', '--to', receiver.url, ...source, ...only], { cwd: folder });
    const { trials: played } = JSON.parse(stdout) as { trials: ReadonlyArray<{ id: string; verdict: string }> };
    return { code, played: played.map(({ id, verdict }) => `${id} ${verdict}`) };
  }

  it('passes what is right, and finds what the ledger does not know', async () => {
    const trials = ['duplicate.sequential', 'duplicate.concurrent', 'distinct.concurrent', 'order.stale-update'];
    for (const right of RIGHT) {
      expect(await play([right], trials)).toEqual({ code: 0, played: trials.map((trial) => `${trial} pass`) });
    }
    expect(await play(['ledger'], trials.toSpliced(2, 1))).toEqual({
      code: 1,
      played: ['duplicate.sequential pass', 'duplicate.concurrent pass', 'order.stale-update fail'],
    });
  }, 120_000);

  it('finds faults as on SQLite', async () => {
    expect((await play(['--fault', 'check-then-act-1ms'], ['duplicate.concurrent'])).played).toEqual([
      'duplicate.concurrent fail',
    ]);
    expect((await play(['--fault', 'lost-update'], ['distinct.concurrent'])).played).toEqual([
      'distinct.concurrent fail',
    ]);
  }, 120_000);
});
