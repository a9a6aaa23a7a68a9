import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { Duplex } from 'node:stream';
import type { Probe, Snapshot } from '../model/effect.ts';
import type { Overhear } from '../model/receiver-control.ts';
import { createIncoming } from './incoming.ts';
import { type Call, takeCall } from './spy-call.ts';

export type OverheardCalls = {
  readonly overhear: Overhear;
  /** Under this name in reports, for the dependency of this variable. */
  readonly probeAs: (name: string, variable: string) => Probe;
};

/** Reading is no side effect: whoever looks twice has changed nothing. */
const READS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS', 'TRACE']);

/**
 * Reads plain HTTP calls on their way to a dependency; each that went through whole, and may change something, is a row of `calls`.
 * One that repeats the idempotency key of an earlier one is that one again: whoever does not know what came of a call must repeat it.
 */
export function overhearCalls(): OverheardCalls {
  const calls = createIncoming('calls');
  const keys = new Set<string>();
  const now = (): Snapshot => ({ collections: [calls.collection()] });
  let held = now();
  const isRepeat = ({ method, target, cells: { 'idempotency-key': key } }: Call): boolean => {
    if (key === null || key === undefined) return false;
    const mark = `${method} ${target} ${String(key)}`;
    const known = keys.has(mark);
    keys.add(mark);
    return known;
  };
  const take = async (request: IncomingMessage, response: ServerResponse) => {
    const number = calls.begin();
    const call = await takeCall(request);
    if (call.complete && !READS.has(call.method) && !isRepeat(call)) calls.record(number, call.cells);
    calls.done(number);
    response.writeHead(204).end();
  };
  // It listens nowhere: Node's own parser for what a connection says. Its answers go to nobody.
  const parser = createServer({ requestTimeout: 0, headersTimeout: 0, keepAliveTimeout: 0 }, (request, response) => {
    response.on('error', () => {});
    void take(request, response);
  });
  parser.on('clientError', (_error, connection) => connection.destroy());
  return {
    overhear: () => {
      const connection = new Duplex({ read: () => {}, write: (_chunk, _encoding, written) => written() });
      connection.on('error', () => {});
      parser.emit('connection', connection);
      return {
        said: (bytes) => {
          if (!connection.destroyed) connection.push(bytes);
        },
        over: () => {
          if (!connection.destroyed) connection.push(null);
        },
      };
    },
    probeAs: (name, variable) => ({
      name,
      source: `intercept:${variable}`,
      read: async () => now(),
      moments: {
        // Captured ids, and keys made of them, come again in each round: what came before this moment repeats nothing behind it.
        hold: async () => {
          keys.clear();
          held = now();
          return held;
        },
        compare: async () => ({ before: held, after: now() }),
      },
      version: async () => calls.version(),
      isBusy: calls.isBusy,
      close: async () => {},
    }),
  };
}
