import { randomUUID } from 'node:crypto';
import { mkdirSync, readdirSync } from 'node:fs';
import { connect as connectTo } from 'node:net';
import { join } from 'node:path';
import { connect as connectAmqp } from 'amqplib';
import { Redis } from 'ioredis';
import { createConnection } from 'mysql2/promise';
import pg from 'pg';
import { afterAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { freePort } from '../../src/receiver/free-port.ts';
import { startCli } from '../support/cli.ts';
import { engineOf } from '../support/databases.ts';
import { heldAnswers } from '../support/held-answers.ts';
import { startRecordingReceiver } from '../support/recording-receiver.ts';
import { serviceUrl } from '../support/services.ts';
import { standBetween } from '../support/stand-between.ts';
import { tempFolder } from '../support/temp-folder.ts';

const EVENT = 'fixture:generic/order.paid';
const WAIT = { timeout: 30_000, interval: 20 };
const ENDS = ['by itself', 'at Ctrl-C', 'by kill -9'] as const;

/** A place that can be observed, and what is in it. */
type Place = {
  readonly url: URL;
  /** The effect, by its URL. */
  readonly effect: (url: URL) => string;
  /** What the server holds besides what a run may look at, in words. */
  readonly inventory: () => Promise<readonly string[]>;
  /** Whether a run that goes on shows in the inventory; else only its connection shows. */
  readonly shows?: boolean;
};

const ends: Array<() => Promise<unknown>> = [];
afterAll(async () => {
  for (const end of ends) await end();
});

async function postgresPlace(): Promise<Place> {
  const { url } = await (await engineOf('postgres')).create((end) => void ends.push(end));
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  ends.unshift(() => client.end());
  await client.query('CREATE TABLE orders (id int PRIMARY KEY)');
  const inventory = async () => {
    const { rows } = await client.query(`
      SELECT 'relation ' || relname AS what FROM pg_class JOIN pg_namespace n ON n.oid = relnamespace WHERE nspname NOT IN ('pg_catalog', 'pg_toast', 'information_schema')
      UNION ALL SELECT 'trigger ' || tgname FROM pg_trigger WHERE NOT tgisinternal
      UNION ALL SELECT 'slot ' || slot_name FROM pg_replication_slots WHERE database = current_database()
      UNION ALL SELECT 'session ' || application_name FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()
      ORDER BY 1`);
    return rows.map(({ what }) => String(what)).filter((what) => what !== 'session ');
  };
  return { url: new URL(url), effect: (at) => `${at}#orders`, inventory, shows: true };
}

async function mysqlPlace(): Promise<Place> {
  const { url } = await (await engineOf('mysql')).create((end) => void ends.push(end));
  const client = await createConnection({ uri: url });
  ends.unshift(() => client.end());
  await client.query('CREATE TABLE orders (id int PRIMARY KEY)');
  const inventory = async () => {
    const [rows] = await client.query(`
      SELECT concat('table ', table_name) AS what FROM information_schema.tables WHERE table_schema = database()
      UNION ALL SELECT concat('trigger ', trigger_name) FROM information_schema.triggers WHERE trigger_schema = database()
      ORDER BY 1`);
    return (rows as { what: string }[]).map(({ what }) => what);
  };
  return { url: new URL(url), effect: (at) => `${at}#orders`, inventory };
}

async function redisPlace(server: string): Promise<Place> {
  const client = new Redis(server);
  ends.push(async () => client.disconnect());
  const prefix = `wr-test-${randomUUID()}`;
  await client.set(`${prefix}:order`, '1');
  ends.unshift(() => client.del(`${prefix}:order`));
  return {
    url: new URL(server),
    effect: (at) => `${at}#${prefix}:*`,
    inventory: () => client.keys(`*${prefix}*`),
  };
}

/** An exchange that goes when the last queue that was bound to it has gone. */
async function amqpPlace(server: string): Promise<Place> {
  const exchange = `wr-test-${randomUUID()}`;
  const make = await connectAmqp(server);
  ends.push(() => make.close());
  const channel = await make.createChannel();
  const renew = () => channel.assertExchange(exchange, 'topic', { durable: false, autoDelete: true });
  await renew();
  const isThere = async () => {
    const look = await make.createChannel();
    look.on('error', () => {});
    const found = await look.checkExchange(exchange).then(
      () => true,
      () => false,
    );
    if (found) await look.close();
    return found;
  };
  return {
    url: new URL(server),
    effect: (at) => `${at}#${exchange}/orders`,
    inventory: async () => {
      // Gone when a run ended; there for the next one.
      if (!(await isThere())) await renew();
      return [];
    },
  };
}

const servers = {
  redis: await serviceUrl('redis'),
  amqp: await serviceUrl('amqp'),
  nats: await serviceUrl('nats'),
  postgres: await serviceUrl('postgres'),
  mysql: await serviceUrl('mysql'),
};

const PLACES: ReadonlyArray<
  readonly [name: string, server: string | undefined, make: (server: string) => Promise<Place>]
> = [
  ['postgres', servers.postgres, postgresPlace],
  ['mysql', servers.mysql, mysqlPlace],
  ['redis', servers.redis, redisPlace],
  ['amqp', servers.amqp, amqpPlace],
  [
    'nats',
    servers.nats,
    async (server) => ({
      url: new URL(server),
      effect: (at) => `${at}#orders.${randomUUID()}`,
      inventory: async () => [],
    }),
  ],
];

function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connectTo({ host: '127.0.0.1', port });
    const done = (answer: boolean) => {
      socket.destroy();
      resolve(answer);
    };
    socket.on('connect', () => done(true)).on('error', () => done(false));
  });
}

for (const [name, server, make] of PLACES) {
  describe.skipIf(server === undefined)(`of a run that observes ${name}`, () => {
    const made = server === undefined ? undefined : make(server);

    it.each(ENDS)('nothing is left when it ends %s', { timeout: 90_000 }, async (how) => {
      const { url, effect, inventory, shows = false } = await (made as Promise<Place>);
      const between = await standBetween(url);
      const through = new URL(url);
      [through.hostname, through.port] = ['127.0.0.1', String(between.port)];
      const before = await inventory();
      const [cwd, temporary, spy] = [tempFolder(), tempFolder(), await freePort()];
      mkdirSync(join(cwd, '.webhook-replay'));
      const held = heldAnswers([0]);
      const receiver = await startRecordingReceiver((_request, socket) => {
        held.answer(() => void socket.write('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n'));
        return undefined;
      });
      onTestFinished(receiver.close);
      const words = [
        'replay',
        EVENT,
        '--to',
        receiver.url,
        '--effect',
        effect(through),
        '--effect',
        `calls=spy:${spy}`,
      ];
      const patience = ['--settle', '100ms', '--settle-first', '100ms'];
      const child = startCli([...words, ...patience], { cwd, env: { TMPDIR: temporary } });
      onTestFinished(() => void child.kill('SIGKILL'));
      const ended = new Promise<number | null>((resolve) => child.on('close', resolve));

      await receiver.received(1);
      expect(between.open()).toBeGreaterThan(0);
      expect(await accepts(spy)).toBe(true);
      if (shows) expect(await inventory()).not.toEqual(before);
      if (how === 'by kill -9') child.kill('SIGKILL');
      else held.release();
      if (how === 'at Ctrl-C') child.kill('SIGINT');
      expect(await ended).toBe({ 'by itself': 3, 'at Ctrl-C': 130, 'by kill -9': null }[how]);

      await vi.waitFor(async () => expect(await inventory()).toEqual(before), WAIT);
      await vi.waitFor(() => expect(between.open()).toBe(0), WAIT);
      expect(await accepts(spy)).toBe(false);
      expect(readdirSync(temporary)).toEqual([]);
      expect(readdirSync(cwd)).toEqual(['.webhook-replay']);
    });
  });
}
