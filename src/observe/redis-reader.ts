import type { Redis } from 'ioredis';
import type { Collection, Snapshot } from '../model/effect.ts';
import { type BullQueue, existingBullQueue, newBullQueue } from './bull-queue.ts';
import { queueNames } from './bull-queues.ts';
import type { RedisConnection } from './redis-connection.ts';
import { readValues } from './redis-values.ts';

export type RedisReader = {
  /** Takes what is there already for granted. */
  readonly prime: () => Promise<void>;
  readonly read: () => Promise<Snapshot>;
  /** True while a worker is at a job. */
  readonly isBusy: () => boolean;
};

const SCAN_COUNT = '2000';

/** Queues are read as queues, every other key by what it holds. */
export function redisReader(connection: RedisConnection, patterns: readonly string[]): RedisReader {
  const queues = new Map<string, BullQueue>();

  const look = async (client: Redis) => {
    const keys = await scan(client, patterns);
    const names = await queueNames(client, keys);
    const isOfQueue = (key: Buffer) => {
      const text = key.toString('latin1');
      return names.some((name) => text.startsWith(`${name}:`));
    };
    return { plain: keys.filter((key) => !isOfQueue(key)), names };
  };

  return {
    prime: () =>
      connection.use(async (client) => {
        const { names } = await look(client);
        for (const name of names) queues.set(name, await existingBullQueue(name, client));
      }),
    read: () =>
      connection.use(async (client) => {
        const { plain, names } = await look(client);
        for (const name of names) if (!queues.has(name)) queues.set(name, newBullQueue(name));
        for (const queue of queues.values()) await queue.read(client);
        return { collections: [...(await readValues(client, plain)), ...queueCollections([...queues.values()])] };
      }),
    isBusy: () => [...queues.values()].some((queue) => queue.isBusy()),
  };
}

/** SCAN may name a key twice, and never blocks the server for long as KEYS does. */
async function scan(client: Redis, patterns: readonly string[]): Promise<readonly Buffer[]> {
  const keys = new Map<string, Buffer>();
  for (const pattern of patterns) {
    let cursor = '0';
    do {
      const [next, found] = await client.scanBuffer(cursor, 'MATCH', pattern, 'COUNT', SCAN_COUNT);
      for (const key of found) keys.set(key.toString('latin1'), key);
      cursor = next.toString();
    } while (cursor !== '0');
  }
  return [...keys].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, key]) => key);
}

function queueCollections(queues: readonly BullQueue[]): readonly Collection[] {
  if (queues.length === 0) return [];
  return [
    { name: 'jobs', rows: queues.flatMap((queue) => queue.jobs()) },
    { name: 'queues', rows: queues.map((queue) => queue.counts()) },
  ];
}
