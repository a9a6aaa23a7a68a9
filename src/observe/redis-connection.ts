import type { Redis } from 'ioredis';
import type { Clock } from '../support/clock.ts';
import { messageOf, ProbeError } from '../support/errors.ts';
import { CONNECT_TIMEOUT_MS, cannotBeReached, reasonOf, wasLost } from './connection-failure.ts';
import { reconnecting } from './reconnecting.ts';

const ANSWER_TIMEOUT_MS = 10_000;

/** A connection that makes itself anew when the server had closed it. */
export type RedisConnection = {
  /** Throws `ProbeError` for whatever fails. */
  readonly use: <T>(work: (client: Redis) => Promise<T>) => Promise<T>;
  /** Another text whenever any key of the server may have changed. */
  readonly version: () => Promise<string>;
  readonly close: () => Promise<void>;
};

/** Throws `ProbeError` when nobody is there, we are not let in, or it is one node of many. */
export async function connectRedis(url: URL, source: string, clock: Clock): Promise<RedisConnection> {
  const connection = reconnecting(
    () => connect(url, source, clock),
    async (client) => client.disconnect(),
  );
  await connection.get();
  let unknown = 0;
  const use: RedisConnection['use'] = async (work) => {
    if (connection.current()?.status === 'end') connection.drop();
    const client = await connection.get();
    try {
      return await work(client);
    } catch (cause) {
      throw failureOf(cause, client, source);
    }
  };
  const readInfo = async () => readFields(await use((connected) => connected.info()).catch(withoutPermission));
  try {
    if ((await readInfo()).get('cluster_enabled') === '1') throw isCluster(source);
  } catch (error) {
    await connection.close();
    throw error;
  }
  return {
    use,
    // The server counts changes since it last saved; where that may not be read, every look is a look at the keys.
    version: async () => {
      const info = await readInfo();
      const marks = CHANGE_MARKS.map((name) => info.get(name));
      return marks.includes(undefined) ? `unknown ${++unknown}` : marks.join(' ');
    },
    close: connection.close,
  };
}

const CHANGE_MARKS = [
  'run_id',
  'rdb_last_save_time',
  'rdb_changes_since_last_save',
  'expired_keys',
  'evicted_keys',
] as const;

async function connect(url: URL, source: string, clock: Clock): Promise<Redis> {
  const { Redis } = await import('ioredis');
  const client = new Redis(url.href, {
    lazyConnect: true,
    connectTimeout: CONNECT_TIMEOUT_MS,
    commandTimeout: ANSWER_TIMEOUT_MS,
    // A source that is gone is told, not waited for.
    retryStrategy: null,
    maxRetriesPerRequest: 0,
    disableClientInfo: true,
  });
  let last: unknown;
  client.on('error', (error) => {
    last = error;
  });
  const over = new AbortController();
  const late = clock.sleep(2 * CONNECT_TIMEOUT_MS, over.signal).then(() => {
    if (!over.signal.aborted) throw new Error('no answer in time');
  });
  try {
    await Promise.race([client.connect(), late]);
    await client.ping();
    return client;
  } catch (cause) {
    client.disconnect();
    throw cannotBeReached(source, last ?? cause);
  } finally {
    over.abort();
  }
}

function failureOf(cause: unknown, { status }: Redis, source: string): unknown {
  if (cause instanceof ProbeError) return cause;
  if (status !== 'ready') return wasLost(source, cause);
  return new ProbeError(`"${source}" cannot be read: ${reasonOf(cause)}.`, {
    hint: /NOPERM/.test(messageOf(cause))
      ? 'Its user needs the commands that read (ACL: +@read +scan +info) for these keys.'
      : 'Try the same with redis-cli.',
    cause,
  });
}

function withoutPermission(error: unknown): string {
  if (error instanceof Error && /NOPERM|unknown command/i.test(messageOf(error.cause))) return '';
  throw error;
}

function readFields(info: string): ReadonlyMap<string, string> {
  return new Map(
    info.split(/\r?\n/).flatMap((line) => {
      const at = line.indexOf(':');
      return at < 0 ? [] : [[line.slice(0, at), line.slice(at + 1)] as const];
    }),
  );
}

function isCluster(source: string): ProbeError {
  return new ProbeError(`"${source}" is a node of a cluster, of whose keys it has only a part.`, {
    hint: 'Observe a single server, or use exec:COMMAND with a command that reads them all.',
  });
}
