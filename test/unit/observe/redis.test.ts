import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { Queue, Worker } from 'bullmq';
import { Redis } from 'ioredis';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { freePort } from '../../../src/receiver/free-port.ts';
import { effectsOf, openSource, shortly } from '../../support/probes.ts';
import { serviceUrl } from '../../support/services.ts';
import { standBetween } from '../../support/stand-between.ts';

const url = await serviceUrl('redis');
/** Every key of these tests begins with it, or with `bull:` and it. */
const own = `wr-${randomUUID().slice(0, 8)}`;

describe.skipIf(url === undefined)('redis', () => {
  let client: Redis;
  let prefix: string;
  let count = 0;

  beforeAll(() => {
    client = new Redis(url ?? '');
  });

  beforeEach(() => {
    prefix = `${own}-${++count}`;
  });

  afterAll(async () => {
    for (const pattern of [`${own}*`, `*:${own}*`]) {
      for await (const keys of client.scanBufferStream({ match: pattern, count: 1000 })) {
        if ((keys as Buffer[]).length > 0) await client.del(keys as Buffer[]);
      }
    }
    await client.quit();
  });

  const open = (pattern = `${prefix}:*`) => openSource(`${url}#${pattern}`);

  it('shows what came, changed and went, of every type', async () => {
    await client.set(`${prefix}:gone`, '1');
    await client.hset(`${prefix}:total`, { amount: 10, orders: 1 });
    const effects = await effectsOf(await open(), async () => {
      await client.del(`${prefix}:gone`);
      await client.hset(`${prefix}:total`, { amount: 20, orders: 2 });
      await client.set(`${prefix}:order`, '{"id":12345678901234567890}');
      await client.lpush(`${prefix}:list`, 'a', 'a', 'b');
      await client.sadd(`${prefix}:set`, 'x');
      await client.zadd(`${prefix}:zset`, 1.5, 'm', '+inf', 'n');
      await client.xadd(`${prefix}:stream`, '1-1', 'type', 'paid', 'amount', '7');
    });
    const cells = effects.map(({ kind, key, before, after }) => [kind, key.slice(prefix.length + 1), before, after]);
    expect(cells.sort(([, a], [, b]) => (String(a) < String(b) ? -1 : 1))).toEqual([
      ['removed', 'gone', { value: '1' }, null],
      ['added', 'list a', null, { key: `${prefix}:list`, value: 'a' }],
      ['added', 'list a\n2', null, { key: `${prefix}:list`, value: 'a' }],
      ['added', 'list b', null, { key: `${prefix}:list`, value: 'b' }],
      ['added', 'order', null, { value: '{"id":12345678901234567890}' }],
      ['added', 'set x', null, { key: `${prefix}:set`, value: 'x' }],
      ['added', 'stream 1-1', null, { key: `${prefix}:stream`, type: 'paid', amount: '7' }],
      ['changed', 'total', { amount: '10', orders: '1' }, { amount: '20', orders: '2' }],
      ['added', 'zset m', null, { key: `${prefix}:zset`, value: 'm', score: 1.5 }],
      ['added', 'zset n', null, { key: `${prefix}:zset`, value: 'n', score: 'inf' }],
    ]);
  });

  it('keeps bytes that are no text', async () => {
    const effects = await effectsOf(await open(), async () => {
      await client.set(Buffer.from(`${prefix}:\xff`, 'latin1'), Buffer.from([0, 0xff]));
      await client.hset(`${prefix}:hash`, Buffer.from([0xfe]), Buffer.from([0xfd]));
    });
    expect(effects.map(({ key, after }) => [key, after])).toEqual([
      [`${prefix}:hash`, { 'hex:fe': { bytes: 'fd' } }],
      [`hex:${Buffer.from(`${prefix}:`).toString('hex')}ff`, { value: { bytes: '00ff' } }],
    ]);
  });

  it('looks only at keys that match, and not at how long they live', async () => {
    await client.set(`${prefix}:a`, '1');
    const effects = await effectsOf(await open(`${prefix}:a*,${prefix}:[bc]`), async () => {
      await client.expire(`${prefix}:a`, 1000);
      await client.mset(`${prefix}:c`, '1', `${prefix}:d`, '1', `${prefix}:ab`, '1');
    });
    expect(shortly(effects)).toEqual([`added strings ${prefix}:ab`, `added strings ${prefix}:c`]);
  });

  it('sees a key that ran out', async () => {
    await client.set(`${prefix}:a`, '1', 'PX', 1500);
    const effects = await effectsOf(await open(), async () => {
      await expect.poll(() => client.exists(`${prefix}:a`), { timeout: 5000 }).toBe(0);
    });
    expect(shortly(effects)).toEqual([`removed strings ${prefix}:a`]);
  });

  it('finds all of many keys', async () => {
    const pipeline = client.pipeline();
    for (let n = 0; n < 3000; n++) pipeline.set(`${prefix}:${n}`, n);
    const effects = await effectsOf(await open(), () => pipeline.exec());
    expect(effects).toHaveLength(3000);
  });

  it('connects anew when the server had closed the connection', async () => {
    const between = await standBetween(new URL(url ?? ''));
    const probe = await openSource(`redis://127.0.0.1:${between.port}#${prefix}:*`);
    await probe.read();
    between.cut();
    const again = async () => (await probe.read().catch(() => undefined)) !== undefined;
    await expect.poll(again).toBe(true);
  });

  it('says so when the server goes away', async () => {
    const between = await standBetween(new URL(url ?? ''));
    const probe = await openSource(`redis://127.0.0.1:${between.port}#${prefix}:*`);
    await probe.read();
    await between.close();
    await expect(probe.read()).rejects.toMatchObject({ code: 'SOURCE_UNREADABLE', exitCode: 3 });
    await expect(probe.read()).rejects.toMatchObject({ message: expect.stringContaining('cannot be reached') });
  });

  describe('with a queue of BullMQ', () => {
    async function openQueue(options: { readonly prefix?: string } = {}): Promise<Queue> {
      const queue = new Queue(prefix, { connection: { url: url ?? '' }, ...options });
      await queue.waitUntilReady();
      return queue;
    }

    /** Works off what is there and what comes, until closed. */
    async function startWorker(work: () => Promise<void> = async () => {}): Promise<Worker> {
      const worker = new Worker(prefix, work, { connection: { url: url ?? '' } });
      await worker.waitUntilReady();
      return worker;
    }

    it('shows a job as one row, and the queue as counts, without bookkeeping', async () => {
      const queue = await openQueue();
      const effects = await effectsOf(await open(`bull:${prefix}:*`), async () => {
        await queue.add('mail', { to: 'ann@shop.test' }, { jobId: 'evt-1' });
        await queue.add('mail', { to: 'ann@shop.test' }, { jobId: 'evt-1' });
      });
      await queue.close();
      expect(effects.map(({ collection, kind, key, after }) => [collection, kind, key, after])).toEqual([
        [
          'jobs',
          'added',
          `${prefix}/evt-1`,
          { queue: prefix, id: 'evt-1', name: 'mail', data: '{"to":"ann@shop.test"}' },
        ],
        ['queues', 'changed', prefix, expect.objectContaining({ waiting: 1, active: 0, completed: 0 })],
      ]);
    });

    it('sees a second job although the first is done and removed, also under the same id', async () => {
      const queue = await openQueue();
      const worker = await startWorker();
      const probe = await open(`bull:${prefix}:*`);
      const add = async () => {
        const done = once(worker, 'completed');
        await queue.add('mail', { n: 1 }, { jobId: 'evt-1', removeOnComplete: true });
        await done;
      };
      const effects = await effectsOf(probe, async () => {
        await add();
        await add();
      });
      await worker.close();
      await queue.close();
      expect(shortly(effects)).toEqual([
        `added jobs ${prefix}/evt-1`,
        `added jobs ${prefix}/evt-1 (2)`,
        `changed queues ${prefix}`,
      ]);
      expect(effects[2]?.after).toMatchObject({ waiting: 0, completed: 2 });
    });

    it('leaves out the data of all jobs where finished ones are removed, since it may be seen or not', async () => {
      const queue = await openQueue();
      const worker = await startWorker();
      const probe = await open(`bull:${prefix}:*`);
      const once1 = once(worker, 'completed');
      await queue.add('mail', { n: 1 }, { removeOnComplete: true });
      await once1;
      await probe.read();
      const effects = await effectsOf(probe, () =>
        queue.add('mail', { n: 2 }, { removeOnComplete: true, delay: 60_000 }),
      );
      await worker.close();
      await queue.close();
      expect(effects[0]?.after).toEqual({ queue: prefix, id: '2', name: 'mail' });
    });

    it('counts what is done where only the last ones are kept', async () => {
      const queue = await openQueue();
      const worker = await startWorker();
      const probe = await open(`bull:${prefix}:*`);
      const add = async () => {
        const done = once(worker, 'completed');
        await queue.add('mail', {}, { removeOnComplete: { count: 1 } });
        await done;
      };
      await add();
      await add();
      const effects = await effectsOf(probe, add);
      await worker.close();
      await queue.close();
      expect(effects.at(-1)).toMatchObject({ before: { completed: 2 }, after: { completed: 3 } });
    });

    it('is not quiet while a worker is at a job', async () => {
      const queue = await openQueue();
      let finish = () => {};
      const working = new Promise<void>((resolve) => {
        finish = resolve;
      });
      const worker = await startWorker(() => working);
      const probe = await open(`bull:${prefix}:*`);
      const begun = once(worker, 'active');
      await queue.add('mail', {});
      await begun;
      await probe.read();
      expect(probe.isBusy?.()).toBe(true);
      const done = once(worker, 'completed');
      finish();
      await done;
      await probe.read();
      expect(probe.isBusy?.()).toBe(false);
      await worker.close();
      await queue.close();
    });

    it.each([
      ['delayed', { delay: 60_000 }],
      ['prioritized', { priority: 3 }],
      ['waiting', {}],
    ])('counts what is %s', async (state, options) => {
      const queue = await openQueue();
      const effects = await effectsOf(await open(`bull:${prefix}:*`), () => queue.add('mail', {}, options));
      await queue.close();
      expect(effects.at(-1)?.after).toMatchObject({ [state]: 1 });
    });

    it('counts what is paused, and what failed', async () => {
      const queue = await openQueue();
      const probe = await open(`bull:${prefix}:*`);
      await queue.pause();
      const paused = await effectsOf(probe, () => queue.add('mail', {}));
      expect(paused.at(-1)?.after).toMatchObject({ paused: 1 });
      const worker = await startWorker(async () => {
        throw new Error('no mail today');
      });
      const failed = once(worker, 'failed');
      const effects = await effectsOf(probe, async () => {
        await queue.resume();
        await failed;
      });
      await worker.close();
      await queue.close();
      expect(effects.at(-1)).toMatchObject({ before: { paused: 1, failed: 0 }, after: { paused: 0, failed: 1 } });
    });

    it('knows a queue with another prefix, and reads other keys as they are', async () => {
      const queue = await openQueue({ prefix: own });
      await client.set(`${own}:${prefix}x`, '1');
      const effects = await effectsOf(await open(`${own}:${prefix}*`), async () => {
        await queue.add('mail', {});
        await client.set(`${own}:${prefix}x`, '2');
      });
      await queue.close();
      expect(shortly(effects)).toEqual([
        `changed strings ${own}:${prefix}x`,
        `added jobs ${own}:${prefix}/1`,
        `changed queues ${own}:${prefix}`,
      ]);
    });
  });
});

describe('redis that cannot be reached', () => {
  it('says so without the password', async () => {
    const port = await freePort();
    const opening = openSource(`redis://ann:hunter2@127.0.0.1:${port}#a`);
    await expect(opening).rejects.toMatchObject({
      exitCode: 3,
      message: expect.stringMatching(/^"redis:\/\/\*\*\*@127\.0\.0\.1:\d+#a" cannot be reached: .*ECONNREFUSED/),
    });
    await expect(opening).rejects.not.toThrow('hunter2');
  });

  it('says so when something else listens there', async () => {
    const server = createServer((socket) => socket.on('error', () => {}).end('HTTP/1.1 400 Bad Request\r\n\r\n'));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as { port: number };
    await expect(openSource(`redis://127.0.0.1:${port}#a`)).rejects.toMatchObject({
      exitCode: 3,
      message: expect.stringContaining('cannot be reached'),
    });
    server.close();
  });

  it.each(['redis://', 'redis:a', 'redis://h/orders#a'])('refuses %s as wrong usage', async (text) => {
    await expect(openSource(text)).rejects.toMatchObject({ exitCode: 2, code: 'BAD_EFFECT' });
  });
});
