import { randomUUID } from 'node:crypto';
import { type Channel, type ChannelModel, connect } from 'amqplib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freePort } from '../../../src/receiver/free-port.ts';
import { effectsOf, openSource, shortly } from '../../support/probes.ts';
import { serviceUrl } from '../../support/services.ts';
import { standBetween } from '../../support/stand-between.ts';

const url = await serviceUrl('amqp');
const own = `wr-${randomUUID().slice(0, 8)}`;

describe.skipIf(url === undefined)('amqp', () => {
  let connection: ChannelModel;
  let channel: Channel;

  beforeAll(async () => {
    connection = await connect(url ?? '');
    channel = await connection.createChannel();
    await channel.assertQueue(own, { durable: false });
    await channel.assertExchange(own, 'topic', { durable: false });
    await channel.bindQueue(own, own, 'orders.#');
  });

  afterAll(async () => {
    await channel.deleteQueue(own);
    await channel.deleteExchange(own);
    await connection.close();
  });

  it('counts the messages that wait in a queue and takes none of them', async () => {
    await channel.purgeQueue(own);
    const effects = await effectsOf(await openSource(`${url}#${own}`), async () => {
      channel.sendToQueue(own, Buffer.from('1'));
      channel.sendToQueue(own, Buffer.from('2'));
      await expect.poll(async () => (await channel.checkQueue(own)).messageCount).toBe(2);
    });
    expect(effects).toMatchObject([{ collection: 'queues', key: own, before: { waiting: 0 }, after: { waiting: 2 } }]);
    const message = await channel.get(own, { noAck: true });
    expect(message).toMatchObject({ fields: { redelivered: false } });
  });

  it('shows what is published to an exchange, although the receiver takes it at once', async () => {
    await channel.purgeQueue(own);
    const { consumerTag } = await channel.consume(own, () => {}, { noAck: true });
    const effects = await effectsOf(await openSource(`${url}#${own}/orders.*`), () => {
      channel.publish(own, 'orders.paid', Buffer.from('{"id":7}'), {
        contentType: 'application/json',
        messageId: 'm1',
      });
      channel.publish(own, 'mails.sent', Buffer.from('not wanted'));
      channel.publish(own, 'orders.raw', Buffer.from([0xff]));
    });
    await channel.cancel(consumerTag);
    expect(effects.map(({ after }) => after)).toEqual([
      {
        exchange: own,
        'routing-key': 'orders.paid',
        'content-type': 'application/json',
        'message-id': 'm1',
        body: '{"id":7}',
      },
      {
        exchange: own,
        'routing-key': 'orders.raw',
        'content-type': null,
        'message-id': null,
        body: expect.stringMatching(/^sha256:[0-9a-f]{64} \(1 bytes\)$/),
      },
    ]);
    expect(shortly(effects)).toEqual(['added messages 1', 'added messages 2']);
  });

  it.each([
    ['no-such-queue', 'There is no queue "no-such-queue"'],
    ['no-such-exchange/key', 'There is no exchange "no-such-exchange"'],
  ])('says that there is no %s', async (fragment, message) => {
    await expect(openSource(`${url}#${fragment}`)).rejects.toMatchObject({
      exitCode: 3,
      message: expect.stringContaining(message),
    });
  });

  it('says so when the broker goes away', async () => {
    const between = await standBetween(new URL(url ?? ''));
    const probe = await openSource(`amqp://127.0.0.1:${between.port}#${own}`);
    await between.close();
    await expect(probe.read()).rejects.toMatchObject({
      exitCode: 3,
      message: expect.stringContaining('was lost'),
    });
  });

  it('says that it was not let in, without the password', async () => {
    const opening = openSource(`amqp://ann:hunter2@${new URL(url ?? '').host}#${own}`);
    await expect(opening).rejects.toMatchObject({ exitCode: 3, message: expect.stringContaining('ACCESS_REFUSED') });
    await expect(opening).rejects.not.toThrow('hunter2');
  });
});

it('says which broker cannot be reached', async () => {
  const opening = openSource(`amqp://ann:hunter2@127.0.0.1:${await freePort()}#q`);
  await expect(opening).rejects.toMatchObject({
    exitCode: 3,
    message: expect.stringMatching(/cannot be reached: .*ECONNREFUSED/),
  });
  await expect(opening).rejects.not.toThrow('hunter2');
});
