import { connect } from 'node:net';

/** Where the tests look for a service unless `WEBHOOK_REPLAY_TEST_POSTGRES=URL` and the like say otherwise. */
const DEFAULTS = {
  postgres: 'postgres://postgres@127.0.0.1:5432/test',
  mysql: 'mysql://root@127.0.0.1:3306/test',
  redis: 'redis://127.0.0.1:6379',
  amqp: 'amqp://127.0.0.1:5672',
  nats: 'nats://127.0.0.1:4222',
};

/** The URL of a service that answers; `undefined` when none does, which fails in CI. */
export async function serviceUrl(name: keyof typeof DEFAULTS): Promise<string | undefined> {
  const url = process.env[`WEBHOOK_REPLAY_TEST_${name.toUpperCase()}`] ?? DEFAULTS[name];
  if (await accepts(new URL(url))) return url;
  if (process.env['CI']) throw new Error(`Nothing answers at ${url}; the tests need ${name}.`);
  return undefined;
}

function accepts({ hostname, port }: URL): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(Number(port), hostname);
    const end = (answers: boolean) => {
      socket.destroy();
      resolve(answers);
    };
    socket.on('connect', () => end(true)).on('error', () => end(false));
  });
}
