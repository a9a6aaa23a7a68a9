import { randomUUID } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Queue } from 'bullmq';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { openSqlite } from '../../src/fixtures/receivers/db-sqlite.ts';
import { listen } from '../../src/fixtures/receivers/http.ts';
import { createQueue, QUEUE, type QueueParts } from '../../src/fixtures/receivers/queue/queue.ts';
import { DEFAULTS, readSettings } from '../../src/fixtures/receivers/queue/settings.ts';
import { runCli } from '../support/cli.ts';
import { orderEvent } from '../support/order-event.ts';
import { post } from '../support/raw-post.ts';
import { startReceiverProcess } from '../support/receiver.ts';
import { serviceUrl } from '../support/services.ts';
import { tempFolder } from '../support/temp-folder.ts';

const redis = await serviceUrl('redis');
const TOKEN = 'token-of-the-operator';
const WAIT = { timeout: 30_000, interval: 20 };

type Place = { readonly db: string; readonly queue?: string | undefined; readonly name: string };

/** A database, and a queue of its own in Redis, which is removed in the end. */
function place(url: string | undefined): Place {
  const name = `webhook-replay-test-${randomUUID()}`;
  if (url !== undefined) {
    onTestFinished(async () => {
      const queue = new Queue(name, { connection: { url } });
      await queue.obliterate({ force: true });
      await queue.close();
    });
  }
  return { db: join(tempFolder(), 'queue.db'), queue: url, name };
}

async function start({ db, queue, name }: Place, parts: Partial<QueueParts> = {}) {
  const queueSettings = { ...DEFAULTS, name, backoffInitialMs: 10, backoffMaxMs: 20 };
  const receiver = await createQueue({ db, queue, queueSettings, adminToken: TOKEN }, { ...QUEUE, ...parts });
  const { port, close } = await listen(receiver, { port: 0, host: '127.0.0.1' });
  let closing: Promise<void> | undefined;
  const stop = () => (closing ??= close());
  onTestFinished(stop);
  const url = `http://127.0.0.1:${port}`;
  const admin = (method: string, path = '', token = TOKEN) =>
    fetch(`${url}/admin/webhooks/dlq${path}`, { method, headers: { authorization: `Bearer ${token}` } });
  const letters = async () => (await (await admin('GET')).json()) as ReadonlyArray<Record<string, unknown>>;
  const orders = async () => {
    const reader = openSqlite(db, undefined);
    const rows = await reader.all<{ order_ref: string }>('SELECT order_ref FROM orders ORDER BY order_ref');
    await reader.close();
    return rows.map((row) => row.order_ref);
  };
  return { url: `${url}/webhooks`, admin, letters, orders, stop };
}

const POISON = orderEvent({ event: 'evt:poison/1', order: 'bad', amount: -500 });

describe.each([
  { where: 'its own database', url: undefined },
  ...(redis === undefined ? [] : [{ where: 'Redis', url: redis }]),
])('the receiver "queue" on $where', ({ url }) => {
  it('puts poison aside with its payload while others go on, and one replay of it takes effect once', async () => {
    const there = place(url);
    const first = await start(there);
    expect(await post(first.url, POISON)).toMatchObject({ status: 202 });
    expect(await post(first.url, orderEvent())).toMatchObject({ status: 202, body: { status: 'queued' } });
    await vi.waitFor(async () => expect(await first.letters()).toHaveLength(1), WAIT);
    await vi.waitFor(async () => expect(await first.orders()).toEqual(['SO-ord_1']), WAIT);
    expect(await first.letters()).toEqual([
      {
        id: 'evt:poison/1',
        error: 'an order cannot have a negative amount',
        failed_at: expect.stringMatching(/^20.*Z$/),
        attempts: 5,
        job: { source: 'generic', type: 'order.paid', payload_base64: Buffer.from(POISON).toString('base64') },
      },
    ]);
    await first.stop();

    // What the operator does next: deploy a shop that can book credits, and replay.
    const second = await start(there, { demandBookable: () => {} });
    const replay = () => second.admin('POST', `/${encodeURIComponent('evt:poison/1')}/replay`);
    expect((await replay()).status).toBe(202);
    await vi.waitFor(async () => expect(await second.orders()).toEqual(['SO-bad', 'SO-ord_1']), WAIT);
    await vi.waitFor(async () => expect((await replay()).status).toBe(404), WAIT);
    expect(await second.letters()).toEqual([]);
    await second.stop();
    expect(await second.orders()).toEqual(['SO-bad', 'SO-ord_1']);
  });

  it('shows and replays dead letters to nobody without the token', async () => {
    const { admin } = await start(place(url));
    expect((await admin('GET', '', 'guessed')).status).toBe(401);
    expect((await admin('POST', '/evt_1/replay', 'guessed')).status).toBe(401);
    expect((await admin('GET')).status).toBe(200);
  });

  it('takes an event once, however often it is queued', async () => {
    const { url: to, orders, stop } = await start(place(url));
    for (const _ of [1, 2, 3]) expect(await post(to, orderEvent())).toMatchObject({ status: 202 });
    await vi.waitFor(async () => expect(await orders()).toEqual(['SO-ord_1']), WAIT);
    await stop();
    expect(await orders()).toEqual(['SO-ord_1']);
  });

  it('refuses with 503 what it has no place for', async () => {
    const there = place(url);
    const settings = (configured: typeof DEFAULTS) => ({
      ...configured,
      capacity: 1,
      backoffInitialMs: 600_000,
      backoffMaxMs: 600_000,
    });
    const { url: to } = await start(there, { settings });
    expect((await post(to, POISON)).status).toBe(202);
    expect(await post(to, orderEvent())).toEqual({ status: 503, body: { error: 'the queue is full' } });
  });

  it.each([
    { fault: [], exit: 0, what: 'passes' },
    { fault: ['--fault', 'job-without-event-id'], exit: 1, what: 'with jobs under ids of their own fails' },
  ])('$what the trials of duplicates and of distinct events', { timeout: 120_000 }, async ({ fault, exit }) => {
    const folder = tempFolder();
    const { name } = place(url);
    writeFileSync(join(folder, 'consumer-config.yaml'), `queue:\n  name: ${name}\n`);
    const words = [
      'queue',
      ...fault,
      '--queue-config',
      'consumer-config.yaml',
      ...(url === undefined ? [] : ['--queue', url]),
    ];
    const receiver = await startReceiverProcess(folder, words);
    const effect = `sqlite:${receiver.db}#orders,emails,totals,webhook_events`;
    const chosen = ['--only', 'duplicate.sequential', '--only', 'distinct.same-payload', '--json'];
    const test = ['test', '--to', receiver.url, '--provider', 'generic', '--effect', effect, ...chosen];
    const { code, stdout, stderr } = await runCli(test, { cwd: folder });
    expect(code, stdout + stderr).toBe(exit);
  });
});

describe('a job in the database', () => {
  it('survives a kill: after the visibility timeout another worker does it', async () => {
    const folder = tempFolder();
    writeFileSync(join(folder, 'c.yaml'), 'queue:\n  visibility_timeout: 1s\n');
    const words = ['queue', '--db', 'kept.db', '--queue-config', 'c.yaml'];
    const first = await startReceiverProcess(folder, [...words, '--effect-delay', '60s']);
    expect((await post(first.url, orderEvent())).status).toBe(202);
    await first.stop('SIGKILL');
    const second = await startReceiverProcess(folder, words);
    await vi.waitFor(() => expect(second.rows('orders')).toHaveLength(1), WAIT);
  });
});

describe('webhook-replay receiver queue', () => {
  it('says which Redis does not answer', async () => {
    const { code, stderr } = await runCli(['receiver', 'queue', '--queue', 'redis://:hidden@127.0.0.1:1'], {
      cwd: tempFolder(),
    });
    expect({ code, stderr }).toMatchObject({
      code: 3,
      stderr: expect.stringMatching(/^error: The queue ".*127.0.0.1:1" cannot be used/),
    });
    expect(stderr).not.toContain('hidden');
  });

  it('names file and line of a wrong setting', async () => {
    const folder = tempFolder();
    writeFileSync(join(folder, 'c.yaml'), 'queue:\n  capacity: many\n');
    const { code, stderr } = await runCli(['receiver', 'queue', '--queue-config', 'c.yaml'], { cwd: folder });
    expect(code).toBe(2);
    expect(stderr).toContain('c.yaml:2: "many" will not do for "queue.capacity"');
  });
});

describe('consumer-config.yaml', () => {
  it('documents the defaults', () => {
    const file = new URL('../../src/fixtures/receivers/queue/consumer-config.yaml', import.meta.url);
    expect(readSettings(readFileSync(file, 'utf8'), 'consumer-config.yaml')).toEqual(DEFAULTS);
  });

  it.each([
    ['queue:\n\tname: a', 2],
    ['name: a', 1],
    ['queue:\n  name: a\n  name: b', 3],
    ['queue:\n  nam: a', 2],
    ['consumer:\n  backoff_max: 30', 2],
    ['consumer:\n  concurrency: 0', 2],
    ['queue:\n  - name', 2],
  ])('refuses %j in line %i', (text, line) => {
    expect(() => readSettings(text, 'c.yaml')).toThrow(`c.yaml:${line}: `);
  });
});
