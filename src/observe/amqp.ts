import { UserError } from '../support/errors.ts';
import { type AmqpConnection, connectAmqp } from './amqp-connection.ts';
import { hideCredentials } from './hide-credentials.ts';
import { createIncoming } from './incoming.ts';
import { shownBytes } from './shown-bytes.ts';
import type { Source, SourceAddress, UnopenedSource } from './source.ts';

const FORM = '//HOST:PORT/VHOST#queue or #exchange/routing.key';

/** How many messages wait in a queue, or what is published to an exchange. Nothing is taken from the receiver's own queues. */
export const amqp: Source = { scheme: 'amqp', form: `amqp:${FORM}`, parse: parseAmqp };
export const amqps: Source = { scheme: 'amqps', form: `amqps:${FORM}`, parse: parseAmqp };

function parseAmqp({ text }: SourceAddress): UnopenedSource {
  const [address = '', ...fragment] = text.split('#');
  const source = hideCredentials(text);
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (!url?.hostname) throw bad(source, 'is not the URL of a broker');
  const [first = '', ...rest] = fragment.join('#').split('/');
  if (first === '') throw bad(source, 'names no queue and no exchange');
  const [queue, key] = [first, rest.length === 0 ? undefined : rest.join('/')].map(decode);
  return {
    defaultName: (queue ?? '').replace(/[^\p{L}\p{N}_.-]+/gu, '-') || 'amqp',
    open: async (name) => {
      const connection = await connectAmqp(url, source);
      try {
        const read =
          key === undefined
            ? await waitingIn(queue ?? '', connection)
            : await publishedTo(queue ?? '', key, connection);
        await read();
        return { name, source, read, close: connection.close };
      } catch (error) {
        await connection.close();
        throw error;
      }
    },
  };
}

/** What is written bare stays as it is. */
function decode(text: string | undefined): string | undefined {
  try {
    return text === undefined ? undefined : decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Asks without declaring: a passive declaration changes nothing and takes no message. */
async function waitingIn(queue: string, connection: AmqpConnection) {
  return async () => {
    const { messageCount } = await connection.use(`There is no queue "${queue}"`, (channel) =>
      channel.checkQueue(queue),
    );
    return { collections: [{ name: 'queues', rows: [{ key: queue, cells: { waiting: messageCount } }] }] };
  };
}

/** A queue of our own beside the receiver's gets a copy of each message, and goes with our connection. */
async function publishedTo(exchange: string, key: string, connection: AmqpConnection) {
  const messages = createIncoming('messages');
  const own = await connection.use(`There is no exchange "${exchange}"`, async (channel) => {
    await channel.checkExchange(exchange);
    const { queue } = await channel.assertQueue('', { exclusive: true, autoDelete: true, durable: false });
    await channel.bindQueue(queue, exchange, key);
    await channel.consume(
      queue,
      (message) => {
        if (!message) return;
        const { fields, properties, content } = message;
        messages.add({
          exchange: fields.exchange,
          'routing-key': fields.routingKey,
          'content-type': properties.contentType ?? null,
          'message-id': properties.messageId ?? null,
          body: shownBytes(content),
        });
      },
      { noAck: true },
    );
    return queue;
  });
  return async () => {
    // The first answer comes behind what the queue had handed on; the second behind what was on its way to us then.
    for (let turn = 0; turn < 2; turn++) await connection.use('', (channel) => channel.checkQueue(own));
    return { collections: [messages.collection()] };
  };
}

function bad(source: string, what: string): UserError {
  return new UserError('BAD_EFFECT', `"${source}" ${what} (--effect).`, {
    hint: `Write it as ${amqp.form}; a slash within a name is %2F.`,
  });
}
