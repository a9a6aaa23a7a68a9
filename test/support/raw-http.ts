import { connect, type Socket } from 'node:net';

/** One answer as it came over the wire. */
export type RawAnswer = {
  readonly status: number;
  /** Status line and header lines, latin1. */
  readonly head: string;
  readonly headers: ReadonlyArray<readonly [name: string, value: string]>;
  readonly body: Buffer;
};

export type RawConnection = {
  readonly socket: Socket;
  /** Strings are latin1: one character, one byte. */
  readonly write: (bytes: string | Uint8Array) => void;
  /** The next answer on this connection; 1xx are skipped. Rejects when the connection ends before. */
  readonly answer: () => Promise<RawAnswer>;
  /** Resolves when the connection is closed. */
  readonly closed: Promise<void>;
  readonly destroy: () => void;
};

export async function openRaw(port: number, host = '127.0.0.1'): Promise<RawConnection> {
  const socket = connect({ port, host });
  await new Promise<void>((resolve, reject) => {
    socket.once('connect', resolve).once('error', reject);
  });
  socket.on('error', () => {});
  let buffered = Buffer.alloc(0);
  let ended = false;
  let wake = () => {};
  socket.on('data', (chunk: Buffer) => {
    buffered = Buffer.concat([buffered, chunk]);
    wake();
  });
  const closed = new Promise<void>((resolve) => {
    socket.on('close', () => {
      ended = true;
      wake();
      resolve();
    });
  });
  const answer = async (): Promise<RawAnswer> => {
    for (;;) {
      const parsed = parseAnswer(buffered);
      if (parsed) {
        buffered = buffered.subarray(parsed.bytes);
        if (parsed.answer.status >= 200) return parsed.answer;
        continue;
      }
      if (ended) throw new Error(`closed without an answer; it said: ${buffered.toString('latin1')}`);
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
  };
  return {
    socket,
    write: (bytes) => void socket.write(typeof bytes === 'string' ? Buffer.from(bytes, 'latin1') : bytes),
    answer,
    closed,
    destroy: () => void socket.destroy(),
  };
}

/** Sends these bytes on a connection of their own and returns the answer. */
export async function sendRaw(port: number, bytes: string | Uint8Array): Promise<RawAnswer> {
  const connection = await openRaw(port);
  connection.write(bytes);
  try {
    return await connection.answer();
  } finally {
    connection.destroy();
  }
}

/** A request with these header lines (Host and Content-Length are added) and body. */
export function rawPost(target: string, headerLines: readonly string[], body: string | Uint8Array): Buffer {
  const bytes = typeof body === 'string' ? Buffer.from(body, 'utf8') : Buffer.from(body);
  const lines = [`POST ${target} HTTP/1.1`, 'Host: capture.test', ...headerLines, `Content-Length: ${bytes.length}`];
  return Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'), bytes]);
}

export function parseHead(head: string): { readonly first: string; readonly headers: RawAnswer['headers'] } {
  const [first = '', ...lines] = head.split('\r\n');
  return {
    first,
    headers: lines.map((line) => {
      const colon = line.indexOf(':');
      return [line.slice(0, colon), line.slice(colon + 1).trim()] as const;
    }),
  };
}

/** Takes a chunked body apart; undefined while it is not complete. */
export function dechunk(bytes: Buffer): { readonly body: Buffer; readonly bytes: number } | undefined {
  const parts: Buffer[] = [];
  for (let at = 0; ; ) {
    const end = bytes.indexOf('\r\n', at);
    if (end < 0) return undefined;
    const size = Number.parseInt(bytes.toString('latin1', at, end), 16);
    const next = end + 2 + size + 2;
    if (bytes.length < next) return undefined;
    if (size === 0) return { body: Buffer.concat(parts), bytes: next };
    parts.push(bytes.subarray(end + 2, end + 2 + size));
    at = next;
  }
}

function parseAnswer(bytes: Buffer): { readonly answer: RawAnswer; readonly bytes: number } | undefined {
  const end = bytes.indexOf('\r\n\r\n');
  if (end < 0) return undefined;
  const head = bytes.toString('latin1', 0, end);
  const { first, headers } = parseHead(head);
  const length = Number(headers.find(([name]) => name.toLowerCase() === 'content-length')?.[1] ?? 0);
  const total = end + 4 + length;
  if (bytes.length < total) return undefined;
  const body = bytes.subarray(end + 4, total);
  return { answer: { status: Number(first.split(' ')[1]), head, headers, body }, bytes: total };
}
