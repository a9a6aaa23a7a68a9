import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Cell, Row } from '../model/effect.ts';
import type { Clock } from '../support/clock.ts';
import { messageOf, UserError } from '../support/errors.ts';
import { forwardCall } from './forward-call.ts';
import { hideCredentials } from './hide-credentials.ts';
import type { Source, SourceAddress, UnopenedSource } from './source.ts';
import { type Call, takeCall } from './spy-call.ts';
import { parseSpyOptions, SPY_FORM, type SpyOptions } from './spy-options.ts';

/** We listen on loopback as the API that the receiver calls; each call is a row of the collection `calls`. */
export const spy: Source = { scheme: 'spy', form: SPY_FORM, parse: parseSpy };

function parseSpy({ text, rest }: SourceAddress): UnopenedSource {
  const source = hideCredentials(text);
  const options = parseSpyOptions(rest, source);
  return {
    defaultName: 'spy',
    open: async (name, { clock }) => {
      const calls = callLog();
      const closing = new AbortController();
      const server = createServer((request, response) => {
        answerCall({ request, response, options, calls, clock, signal: closing.signal }).catch(() =>
          response.destroy(),
        );
      });
      const port = await listen(server, options.port, source);
      return {
        name,
        source,
        url: `http://127.0.0.1:${port}`,
        read: async () => ({ collections: [{ name: 'calls', rows: calls.rows() }] }),
        version: async () => calls.version(),
        close: async () => {
          closing.abort();
          await close(server);
        },
      };
    },
  };
}

type Answering = {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly options: SpyOptions;
  readonly calls: CallLog;
  readonly clock: Clock;
  readonly signal: AbortSignal;
};

/** The call is on record before it is answered; a call that broke off too: the receiver made it. */
async function answerCall({ request, response, options, calls, clock, signal }: Answering): Promise<void> {
  response.on('error', () => {});
  const number = calls.arrived();
  const call = await takeCall(request);
  const { answer } = options;
  calls.record(number, { ...call.cells, status: answer.kind === 'fixed' ? answer.status : null });
  if (!call.complete) {
    response.writeHead(413).end();
    return;
  }
  await clock.sleep(options.delayMs, signal);
  const status =
    answer.kind === 'fixed' ? answerFixed(response, answer) : await answerForwarded(call, answer.to, response);
  calls.record(number, { ...call.cells, status });
}

function answerFixed(response: ServerResponse, answer: Extract<SpyOptions['answer'], { kind: 'fixed' }>): number {
  const hasBody = answer.status !== 204 && answer.status !== 304;
  response.writeHead(answer.status, hasBody ? { 'content-type': answer.contentType } : {});
  response.end(hasBody ? answer.body : undefined);
  return answer.status;
}

async function answerForwarded(call: Call, to: URL, response: ServerResponse): Promise<number> {
  try {
    return await forwardCall(call, to, response);
  } catch (error) {
    if (response.headersSent) response.destroy();
    else
      response
        .writeHead(502, { 'content-type': 'text/plain' })
        .end(`webhook-replay: ${to.origin}: ${messageOf(error)}\n`);
    return 502;
  }
}

type CallLog = {
  /** Numbers calls in the order in which their heads came in. */
  readonly arrived: () => number;
  readonly record: (number: number, cells: Readonly<Record<string, Cell>>) => void;
  readonly rows: () => readonly Row[];
  readonly version: () => string;
};

function callLog(): CallLog {
  const calls = new Map<number, Row>();
  let arrived = 0;
  let changes = 0;
  return {
    arrived: () => ++arrived,
    record: (number, cells) => {
      if (calls.has(number) && calls.get(number)?.cells['status'] === cells['status']) return;
      calls.set(number, { key: String(number), cells });
      changes++;
    },
    rows: () => [...calls].sort(([a], [b]) => a - b).map(([, row]) => row),
    version: () => String(changes),
  };
}

async function listen(server: Server, port: number, source: string): Promise<number> {
  // A receiver may keep its connection for as long as it likes; closing it would fail a call now and then.
  server.keepAliveTimeout = 0;
  server.on('clientError', (_error, socket) => {
    if (socket.writable) socket.end('HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n');
    else socket.destroy();
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', (cause) => {
      reject(
        new UserError('CANNOT_LISTEN', `"${source}" cannot listen: ${messageOf(cause)}.`, {
          hint: 'Choose another port, or 0 for any free one.',
          cause,
        }),
      );
    });
    server.listen(port, '127.0.0.1', resolve);
  });
  return (server.address() as AddressInfo).port;
}

function close(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
