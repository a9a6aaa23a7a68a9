import { randomUUID } from 'node:crypto';
import { connect, headers, type NatsConnection } from '@nats-io/transport-node';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { freePort } from '../../../src/receiver/free-port.ts';
import { effectsOf, openSource, shortly } from '../../support/probes.ts';
import { serviceUrl } from '../../support/services.ts';
import { standBetween } from '../../support/stand-between.ts';

const url = await serviceUrl('nats');
const own = `wr-${randomUUID().slice(0, 8)}`;

describe.skipIf(url === undefined)('nats', () => {
  let connection: NatsConnection;

  beforeAll(async () => {
    connection = await connect({ servers: new URL(url ?? '').host });
  });

  afterAll(() => connection.close());

  it('shows what is published to a subject, wildcards included', async () => {
    const effects = await effectsOf(await openSource(`${url}#${own}.orders.*`), async () => {
      connection.publish(`${own}.orders.paid`, '{"id":7}');
      connection.publish(`${own}.mails.sent`, 'not wanted');
      const named = headers();
      named.set('X-Kind', 'test');
      connection.publish(`${own}.orders.raw`, new Uint8Array([0xff]), { headers: named });
      await connection.flush();
    });
    expect(shortly(effects)).toEqual(['added messages 1', 'added messages 2']);
    expect(effects.map(({ after }) => after)).toEqual([
      { subject: `${own}.orders.paid`, headers: null, data: '{"id":7}' },
      {
        subject: `${own}.orders.raw`,
        headers: '{"X-Kind":"test"}',
        data: expect.stringMatching(/^sha256:[0-9a-f]{64} \(1 bytes\)$/),
      },
    ]);
  });

  it('counts what a stream keeps, and no message that the stream drops as a duplicate', async ({ skip }) => {
    const api = (what: string, body: object) => connection.request(`$JS.API.${what}`, JSON.stringify(body));
    const made = await api(`STREAM.CREATE.${own}`, { name: own, subjects: [`${own}.kept.>`], storage: 'memory' }).catch(
      () => undefined,
    );
    skip(made === undefined, 'this server has no JetStream');
    onTestFinished(async () => {
      await api(`STREAM.DELETE.${own}`, {});
    });
    const effects = await effectsOf(await openSource(`${url}#${own}.kept.a`), async () => {
      const once = headers();
      once.set('Nats-Msg-Id', 'evt-1');
      await connection.request(`${own}.kept.a`, '1', { headers: once, timeout: 2000 });
      await connection.request(`${own}.kept.a`, '1', { headers: once, timeout: 2000 });
      await connection.request(`${own}.kept.a`, '2');
    });
    expect(shortly(effects)).toEqual(['added messages 1', 'added messages 2', `changed streams ${own}`]);
    expect(effects[2]).toMatchObject({ before: { stored: 0 }, after: { stored: 2 } });
  });

  it('does not take its own questions for messages', async () => {
    const probe = await openSource(`${url}#>`);
    const rows = async () =>
      (await probe.read()).collections[0]?.rows.map(({ cells }) => String(cells['subject'])) ?? [];
    await rows();
    expect((await rows()).filter((subject) => /^(\$|_INBOX)/.test(subject))).toEqual([]);
  });

  it('says so when the server goes away', async () => {
    const between = await standBetween(new URL(url ?? ''));
    const probe = await openSource(`nats://127.0.0.1:${between.port}#${own}`);
    await between.close();
    await expect.poll(() => probe.read().catch((error: Error) => error.message)).toMatch(/was lost/);
  });
});

it('says which server cannot be reached, without the password', async () => {
  const opening = openSource(`nats://ann:hunter2@127.0.0.1:${await freePort()}#a`);
  await expect(opening).rejects.toMatchObject({ exitCode: 3, message: expect.stringContaining('cannot be reached') });
  await expect(opening).rejects.not.toThrow('hunter2');
});
