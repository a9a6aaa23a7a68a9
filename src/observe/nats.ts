import type { Msg, NatsConnection } from '@nats-io/transport-node';
import type { Cell, Row } from '../model/effect.ts';
import { ProbeError, UserError } from '../support/errors.ts';
import { CONNECT_TIMEOUT_MS, cannotBeReached, wasLost } from './connection-failure.ts';
import { hideCredentials } from './hide-credentials.ts';
import { createIncoming, type Incoming } from './incoming.ts';
import { readStreams } from './nats-streams.ts';
import { shownBytes } from './shown-bytes.ts';
import type { Source, SourceAddress, UnopenedSource } from './source.ts';

/** Messages published to a subject, wildcards allowed, and how far the streams that keep them have come. */
export const nats: Source = { scheme: 'nats', form: 'nats://HOST:PORT#subject', parse: parseNats };

function parseNats({ text }: SourceAddress): UnopenedSource {
  const [address = '', ...fragment] = text.split('#');
  const source = hideCredentials(text);
  const subject = fragment.join('#');
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (!url?.hostname) throw bad(source, 'is not the URL of a NATS server');
  if (!isSubject(subject)) throw bad(source, subject === '' ? 'names no subject' : `has the subject "${subject}"`);
  return {
    defaultName: subject.replace(/[.*>]*[*>]$/, '').replace(/[^\p{L}\p{N}_.-]+/gu, '-') || 'nats',
    open: async (name) => {
      const connection = await connectTo(url, source);
      const messages = createIncoming('messages');
      const kept = new Set<string>();
      const refused = subscribe({ connection, subject, messages, isKept: () => kept.size > 0 });
      const read = async () => {
        if (connection.isClosed()) throw wasLost(source, await connection.closed());
        // What the server had before it answers is here when it has answered.
        const streams = await streamsNow(connection, subject, source);
        for (const { key } of streams) kept.add(key);
        if (refused.error) throw notAllowed(source, subject, refused.error);
        return { collections: [messages.collection(), { name: 'streams', rows: streams }] };
      };
      try {
        await read();
      } catch (error) {
        await connection.close();
        throw error;
      }
      return { name, source, read, isBusy: messages.isBusy, close: () => connection.close() };
    },
  };
}

function isSubject(text: string): boolean {
  return /^[^\s.]+(?:\.[^\s.]+)*$/.test(text) && !/>./.test(text);
}

async function connectTo(url: URL, source: string): Promise<NatsConnection> {
  const { connect } = await import('@nats-io/transport-node');
  const [user, pass] = [decodeURIComponent(url.username), decodeURIComponent(url.password)];
  const login = user === '' ? {} : pass === '' ? { token: user } : { user, pass };
  try {
    return await connect({
      servers: url.host,
      ...login,
      name: 'webhook-replay',
      timeout: CONNECT_TIMEOUT_MS,
      // A source that is gone is told, not waited for.
      reconnect: false,
    });
  } catch (cause) {
    throw cannotBeReached(source, cause);
  }
}

type Subscription = {
  readonly connection: NatsConnection;
  readonly subject: string;
  readonly messages: Incoming;
  /** True where a stream keeps what is published: it drops a message whose id it has already. */
  readonly isKept: () => boolean;
};

function subscribe({ connection, subject, messages, isKept }: Subscription): { error: Error | undefined } {
  const refused: { error: Error | undefined } = { error: undefined };
  const seen = new Set<string>();
  connection.subscribe(subject, {
    callback: (error, message) => {
      if (error) refused.error = error;
      if (error || isInternal(message.subject, subject)) return;
      const id = message.headers?.get('Nats-Msg-Id') ?? '';
      if (id !== '' && isKept() && seen.has(id)) return;
      seen.add(id);
      messages.add(cellsOf(message));
    },
  });
  return refused;
}

/** Questions and answers of clients, ours among them, which `>` takes in, too. */
function isInternal(published: string, wanted: string): boolean {
  return /^(?:\$|_INBOX\.)/.test(published) && published[0] !== wanted[0];
}

async function streamsNow(connection: NatsConnection, subject: string, source: string): Promise<readonly Row[]> {
  try {
    return await Promise.race([connection.flush().then(() => readStreams(connection, subject)), ended(connection)]);
  } catch (cause) {
    throw wasLost(source, cause);
  }
}

/** A flush that is not answered any more would wait for ever. */
async function ended(connection: NatsConnection): Promise<never> {
  throw (await connection.closed()) ?? new Error('the server closed it');
}

function cellsOf({ subject, data, headers }: Msg): Readonly<Record<string, Cell>> {
  const named =
    headers
      ?.keys()
      .toSorted()
      .map((name) => [name, headers.values(name).join(', ')]) ?? [];
  return {
    subject,
    headers: named.length === 0 ? null : JSON.stringify(Object.fromEntries(named)),
    data: shownBytes(data),
  };
}

function notAllowed(source: string, subject: string, cause: Error): ProbeError {
  return new ProbeError(`"${source}" cannot be read: ${cause.message}.`, {
    hint: `Its user must be allowed to subscribe to "${subject}".`,
    cause,
  });
}

function bad(source: string, what: string): UserError {
  return new UserError('BAD_EFFECT', `"${source}" ${what} (--effect).`, {
    hint: `Write it as ${nats.form}; * stands for one word of a subject and a last > for any more.`,
  });
}
