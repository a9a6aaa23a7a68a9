import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { dechunk, parseHead } from './raw-http.ts';

/** One request with the very bytes it had. */
export type RecordedRequest = {
  readonly requestLine: string;
  /** In order, as sent; latin1. */
  readonly headers: ReadonlyArray<readonly [name: string, value: string]>;
  /** The head without its last empty line. */
  readonly head: Buffer;
  /** De-chunked, not decompressed. */
  readonly body: Buffer;
};

/** Answers by writing raw bytes; `undefined` for nothing at all. */
export type Respond = (request: RecordedRequest, socket: Socket) => string | Uint8Array | undefined;

export type RecordingReceiver = {
  readonly url: string;
  readonly port: number;
  readonly requests: readonly RecordedRequest[];
  /** Resolves when so many requests have been recorded. */
  readonly received: (count: number) => Promise<void>;
  readonly close: () => Promise<void>;
};

const OK = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok';

/** A receiver below node:http: it keeps head and body byte for byte. */
export async function startRecordingReceiver(respond: Respond = () => OK): Promise<RecordingReceiver> {
  const requests: RecordedRequest[] = [];
  const sockets = new Set<Socket>();
  const waiting = new Set<() => void>();
  const record = (request: RecordedRequest, socket: Socket) => {
    requests.push(request);
    for (const wake of waiting) wake();
    const answer = respond(request, socket);
    if (answer !== undefined) socket.write(typeof answer === 'string' ? Buffer.from(answer, 'latin1') : answer);
  };
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket)).on('error', () => {});
    let buffered = Buffer.alloc(0);
    socket.on('data', (chunk: Buffer) => {
      buffered = Buffer.concat([buffered, chunk]);
      for (let parsed = parseRequest(buffered); parsed; parsed = parseRequest(buffered)) {
        buffered = buffered.subarray(parsed.bytes);
        record(parsed.request, socket);
      }
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    requests,
    received: (count) =>
      new Promise((resolve) => {
        const look = () => {
          if (requests.length < count) return;
          waiting.delete(look);
          resolve();
        };
        waiting.add(look);
        look();
      }),
    close: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function parseRequest(bytes: Buffer): { readonly request: RecordedRequest; readonly bytes: number } | undefined {
  const end = bytes.indexOf('\r\n\r\n');
  if (end < 0) return undefined;
  const head = bytes.subarray(0, end);
  const { first, headers } = parseHead(head.toString('latin1'));
  const rest = bytes.subarray(end + 4);
  const value = (wanted: string) => headers.find(([name]) => name.toLowerCase() === wanted)?.[1];
  const chunked = value('transfer-encoding') ? dechunk(rest) : undefined;
  if (value('transfer-encoding') && !chunked) return undefined;
  const length = chunked ? chunked.bytes : Number(value('content-length') ?? 0);
  if (rest.length < length) return undefined;
  const body = Buffer.from(chunked ? chunked.body : rest.subarray(0, length));
  return { request: { requestLine: first, headers, head: Buffer.from(head), body }, bytes: end + 4 + length };
}
