import { request } from 'node:http';
import { connect } from 'node:net';

const PATIENCE_MS = 5000;

export type Readiness = {
  /** The receiver's URL; it is ready when this port accepts, */
  readonly url: URL;
  /** or when this answers 2xx. */
  readonly ready?: URL | undefined;
};

export async function isReady({ url, ready }: Readiness): Promise<boolean> {
  return ready ? answersWell(ready) : accepts(url);
}

/** Whether something takes connections there. */
export function accepts(url: URL): Promise<boolean> {
  return new Promise((resolve) => {
    const port = Number(url.port) || (url.protocol === 'https:' ? 443 : 80);
    const socket = connect({ host: url.hostname.replace(/^\[|\]$/g, ''), port });
    const done = (answer: boolean) => {
      socket.destroy();
      resolve(answer);
    };
    socket.on('connect', () => done(true)).on('error', () => done(false));
  });
}

function answersWell(url: URL): Promise<boolean> {
  return new Promise((resolve) => {
    const asked = request(url, { agent: false, timeout: PATIENCE_MS }, (answer) => {
      answer.resume();
      resolve(answer.statusCode !== undefined && answer.statusCode >= 200 && answer.statusCode < 300);
    });
    asked
      .on('timeout', () => asked.destroy())
      .on('error', () => resolve(false))
      .end();
  });
}
