import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Clock } from '../support/clock.ts';
import { createFirstCalls, type FirstCalls } from './first-calls.ts';
import { hideCredentials } from './hide-credentials.ts';
import { createIncoming, type Incoming } from './incoming.ts';
import { cannotListen, hostAndPort, type ListenAddress } from './listen-address.ts';
import type { Source, SourceAddress, UnopenedSource } from './source.ts';
import { fail, giveAnswer } from './spy-answer.ts';
import { type Call, takeCall } from './spy-call.ts';
import { parseSpyOptions, type SpyRule } from './spy-options.ts';
import { readRoutes } from './spy-routes.ts';

/** We listen as the API that the receiver calls, on loopback unless told otherwise; each call is a row of the collection `calls`. */
export const spy: Source = { scheme: 'spy', form: 'spy:PORT', parse: parseSpy };

function parseSpy({ text, rest }: SourceAddress): UnopenedSource {
  const source = hideCredentials(text);
  const { rule, routesFile, ...address } = parseSpyOptions(rest, source);
  return {
    defaultName: 'spy',
    listens: true,
    open: async (name, { clock, cwd }) => {
      const routes = routesFile === undefined ? [] : await readRoutes(routesFile, cwd);
      const calls = createIncoming('calls');
      const isFirst = createFirstCalls();
      const closing = new AbortController();
      const ruleFor = ({ method, path }: Call) => routes.find(({ takes }) => takes(method, path)) ?? rule;
      const context: Answering = { ruleFor, calls, isFirst, clock, signal: closing.signal };
      const server = createServer((request, response) => {
        answerCall(request, response, context).catch(() => response.destroy());
      });
      const port = await listen(server, address, source);
      return {
        name,
        source,
        url: `http://${hostAndPort({ ...address, port })}`,
        read: async () => ({ collections: [calls.collection()] }),
        version: async () => calls.version(),
        isBusy: calls.isBusy,
        close: async () => {
          closing.abort();
          await close(server);
        },
      };
    },
  };
}

type Answering = {
  readonly ruleFor: (call: Call) => SpyRule;
  readonly calls: Incoming;
  readonly isFirst: FirstCalls;
  readonly clock: Clock;
  readonly signal: AbortSignal;
};

/** The call is on record before it is answered; a call that broke off too: the receiver made it. */
async function answerCall(request: IncomingMessage, response: ServerResponse, context: Answering): Promise<void> {
  const { ruleFor, calls, isFirst, clock, signal } = context;
  const number = calls.begin();
  // The receiver waits for its answer, and may go on when it has it.
  response.on('error', () => {}).on('close', () => calls.done(number));
  const call = await takeCall(request);
  const { answer, delayMs, failOnce } = ruleFor(call);
  const failure = call.complete && failOnce !== undefined && isFirst(call) ? failOnce : undefined;
  const known = failure ?? (answer.kind === 'fixed' ? answer.status : null);
  calls.record(number, { ...call.cells, status: known });
  if (!call.complete) {
    response.writeHead(413).end();
    return;
  }
  await clock.sleep(delayMs, signal);
  const status = failure === undefined ? await giveAnswer(call, answer, response) : fail(response, failure);
  if (status !== known) calls.record(number, { ...call.cells, status });
}

async function listen(server: Server, { host, port }: ListenAddress, source: string): Promise<number> {
  // A receiver may keep its connection for as long as it likes; closing it would fail a call now and then.
  server.keepAliveTimeout = 0;
  server.on('clientError', (_error, socket) => {
    if (socket.writable) socket.end('HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n');
    else socket.destroy();
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', (cause) => reject(cannotListen(source, cause)));
    server.listen(port, host, resolve);
  });
  return (server.address() as AddressInfo).port;
}

function close(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
