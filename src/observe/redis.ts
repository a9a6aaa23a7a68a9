import { UserError } from '../support/errors.ts';
import { hideCredentials } from './hide-credentials.ts';
import { connectRedis } from './redis-connection.ts';
import { redisReader } from './redis-reader.ts';
import type { Source, SourceAddress, UnopenedSource } from './source.ts';

/** Keys by pattern and what they hold; BullMQ queues as jobs and counts by state. */
export const redis: Source = { scheme: 'redis', form: 'redis://HOST:PORT/DB#pattern,pattern', parse: parseRedis };
export const rediss: Source = { scheme: 'rediss', form: 'rediss://HOST:PORT/DB#pattern,pattern', parse: parseRedis };

function parseRedis({ text }: SourceAddress): UnopenedSource {
  const [address = '', ...fragment] = text.split('#');
  const source = hideCredentials(text);
  const url = urlOf(address, source);
  const patterns = fragment.join('#').split(',').filter(Boolean);
  return {
    defaultName: nameOf(patterns),
    open: async (name, { clock }) => {
      const connection = await connectRedis(url, source, clock);
      const reader = redisReader(connection, patterns.length === 0 ? ['*'] : patterns);
      try {
        await reader.prime();
      } catch (error) {
        await connection.close();
        throw error;
      }
      return {
        name,
        source,
        read: reader.read,
        version: connection.version,
        isBusy: reader.isBusy,
        close: connection.close,
      };
    },
  };
}

function urlOf(address: string, shown: string): URL {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (url?.hostname && /^\/?\d*$/.test(url.pathname)) return url;
  const what = url?.hostname ? 'names no database by its number' : 'is not the URL of a Redis server';
  throw new UserError('BAD_EFFECT', `"${shown}" ${what} (--effect).`, {
    hint: `Write it as ${redis.form}; user and password stand in front of the host, percent-encoded.`,
  });
}

/** `emails` for `bull:emails:*`, and `redis` where the pattern has no word of its own. */
function nameOf(patterns: readonly string[]): string {
  const [pattern = '', ...more] = patterns;
  const word = pattern.replace(/^bull:(?=.)/, '').replace(/[^\p{L}\p{N}_.-]+/gu, '-');
  return (more.length === 0 && word.replace(/^-+|-+$/g, '')) || 'redis';
}
