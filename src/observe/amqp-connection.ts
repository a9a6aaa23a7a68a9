import type { Channel } from 'amqplib';
import { messageOf, ProbeError } from '../support/errors.ts';
import { CONNECT_TIMEOUT_MS, cannotBeReached, reasonOf, wasLost } from './connection-failure.ts';

export type AmqpConnection = {
  /** Throws `ProbeError` for whatever fails; where it is that something does not exist, with these words. */
  readonly use: <T>(notFound: string, work: (channel: Channel) => Promise<T>) => Promise<T>;
  readonly close: () => Promise<void>;
};

/** One connection with one channel. Throws `ProbeError` when nobody is there, or we are not let in. */
export async function connectAmqp(url: URL, source: string): Promise<AmqpConnection> {
  const { connect } = await import('amqplib');
  const connection = await connect(url.href, { timeout: CONNECT_TIMEOUT_MS }).catch((cause: unknown) => {
    throw cannotBeReached(source, cause);
  });
  let ended: unknown;
  connection.on('error', (error) => {
    ended = error;
  });
  connection.on('close', (error) => {
    ended ??= error ?? new Error('the broker closed it');
  });
  const channel = await connection.createChannel();
  // The broker closes a channel for a wrong question; who asked hears of it.
  channel.on('error', () => {});
  return {
    use: async (notFound, work) => {
      if (ended) throw wasLost(source, ended);
      try {
        return await work(channel);
      } catch (cause) {
        if (ended) throw wasLost(source, ended);
        throw refused({ source, notFound, cause });
      }
    },
    close: async () => {
      if (!ended) await connection.close().catch(() => {});
    },
  };
}

type Refused = { readonly source: string; readonly notFound: string; readonly cause: unknown };

function refused({ source, notFound, cause }: Refused): ProbeError {
  const { code } = cause as { readonly code?: number };
  if (code === 404) {
    return new ProbeError(`"${source}" cannot be read: ${notFound}.`, {
      hint: 'Start the receiver first if it is the one that declares it; names know upper and lower case.',
      cause,
    });
  }
  return new ProbeError(`"${source}" cannot be read: ${reasonOf(cause)}.`, {
    hint: /ACCESS.REFUSED/.test(messageOf(cause))
      ? 'Its user needs the permission to read it, and for an exchange to configure and write queues called amq.gen-*.'
      : 'Try the same with rabbitmqctl.',
    cause,
  });
}
