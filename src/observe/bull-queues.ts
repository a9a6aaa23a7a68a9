import type { Redis } from 'ioredis';

/** Keys that a queue has beside its jobs. */
const PARTS = 'meta|id|wait|active|paused|delayed|prioritized|completed|failed|waiting-children|events';
const PART = new RegExp(`^(.+):(?:${PARTS})$`, 's');

/**
 * The queues of BullMQ, or of Bull before it, that have one of these keys: `bull:emails`. With another prefix than `bull` a queue is
 * known by what BullMQ writes into its `meta`. All texts are latin1, so that no byte is lost.
 */
export async function queueNames(client: Redis, keys: readonly Buffer[]): Promise<readonly string[]> {
  const names = new Set(keys.flatMap((key) => PART.exec(key.toString('latin1'))?.[1] ?? []));
  const found: string[] = [];
  for (const name of names) {
    if (/^bull:[^:]+$/.test(name) || (await isQueue(client, name))) found.push(name);
  }
  return found;
}

async function isQueue(client: Redis, name: string): Promise<boolean> {
  const meta = Buffer.from(`${name}:meta`, 'latin1');
  if ((await client.call('TYPE', meta)) !== 'hash') return false;
  const [version, mostEvents] = await client.hmget(meta, 'version', 'opts.maxLenEvents');
  return mostEvents !== null || (version ?? '').startsWith('bullmq');
}
