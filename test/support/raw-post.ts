import { connect, type Socket } from 'node:net';

export type RawAnswer = { readonly status: number; readonly body: unknown };

type RawHeaders = Readonly<Record<string, string>>;

/** One request on a connection of its own. */
export async function post(url: string, body: string, headers: RawHeaders = {}): Promise<RawAnswer> {
  const [answer] = await postTogether(url, [{ body, headers }]);
  return answer as RawAnswer;
}

/** Holds the last byte of each request back until all others are written, then releases them in one turn of the event loop. */
export async function postTogether(
  url: string,
  requests: ReadonlyArray<{ readonly body: string; readonly headers?: RawHeaders }>,
): Promise<readonly RawAnswer[]> {
  const held = await Promise.all(requests.map((request) => writeAllButLastByte(new URL(url), request)));
  return Promise.all(held.map(({ socket, last }) => release(socket, last)));
}

async function writeAllButLastByte(url: URL, { body, headers = {} }: { body: string; headers?: RawHeaders }) {
  const bytes = Buffer.from(body);
  const lines = [
    `POST ${url.pathname} HTTP/1.1`,
    `Host: ${url.host}`,
    'Connection: close',
    `Content-Length: ${bytes.length}`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
  ];
  const whole = Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`), bytes]);
  const socket = connect({ host: url.hostname, port: Number(url.port), noDelay: true });
  await new Promise<void>((resolve, reject) => {
    socket.once('error', reject);
    socket.write(whole.subarray(0, -1), () => resolve());
  });
  return { socket, last: whole.subarray(-1) };
}

function release(socket: Socket, last: Buffer): Promise<RawAnswer> {
  return new Promise((resolve, reject) => {
    let text = '';
    socket.on('data', (chunk) => {
      text += chunk.toString();
    });
    socket.on('error', reject).on('close', () => resolve(parse(text)));
    socket.write(last);
  });
}

function parse(text: string): RawAnswer {
  const [head = '', body = ''] = text.split('\r\n\r\n');
  return { status: Number(head.split(' ')[1]), body: body === '' ? undefined : JSON.parse(body) };
}
