import { readFileSync } from 'node:fs';
import { connect } from 'node:net';

type Service = { readonly id: string; readonly name: string; readonly url: string; readonly variable: string };

const SERVICES = JSON.parse(readFileSync(new URL('service-list.json', import.meta.url), 'utf8')) as readonly Service[];

/**
 * The URL of a server that tests may use: what the variable names, else its usual place on loopback. `undefined` when nothing answers
 * there: then `describe.skipIf(url === undefined)`. In CI that is an error, so that no test is skipped unseen.
 */
export async function serviceUrl(id: 'postgres' | 'mysql' | 'redis' | 'amqp' | 'nats'): Promise<string | undefined> {
  const service = SERVICES.find((each) => each.id === id);
  if (!service) throw new Error(`There is no service "${id}" in the list.`);
  const url = process.env[service.variable] || service.url;
  if (await answers(url, service.url)) return url;
  if (process.env['CI']) throw new Error(`${service.name} does not answer at ${service.url}: npm run services`);
  return undefined;
}

async function answers(url: string, usual: string): Promise<boolean> {
  const { hostname, port } = new URL(url);
  const socket = connect({
    host: hostname.replace(/^\[|\]$/g, ''),
    port: Number(port || new URL(usual).port),
    timeout: 2000,
  });
  try {
    return await new Promise((resolve) => {
      socket.once('connect', () => resolve(true));
      for (const end of ['error', 'timeout']) socket.once(end, () => resolve(false));
    });
  } finally {
    socket.destroy();
  }
}
