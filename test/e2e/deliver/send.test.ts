import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer as createHttpServer } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, it } from 'vitest';
import { createSender, type Sender, type SenderSetup } from '../../../src/deliver/sender.ts';
import type { Outcome, OutgoingRequest, SendOptions } from '../../../src/model/attempt.ts';
import type { Headers } from '../../../src/model/event.ts';
import { systemClock } from '../../../src/support/clock.ts';
import { onRequest, type RawServer, rawServer } from '../../support/raw-server.ts';

const toClose: Array<() => unknown> = [];

afterEach(async () => {
  for (const close of toClose.splice(0).reverse()) await close();
});

function sender(setup: Partial<SenderSetup> = {}): Sender {
  const made = createSender({ clock: systemClock, insecure: false, connections: 4, ...setup });
  toClose.push(made.close);
  return made;
}

async function server(...args: Parameters<typeof rawServer>): Promise<RawServer> {
  const made = await rawServer(...args);
  toClose.push(made.close);
  return made;
}

type Wanted = Partial<Omit<OutgoingRequest, 'payload'>> & { readonly payload?: string };

function request(base: string, { payload = '{}', ...wanted }: Wanted = {}): OutgoingRequest {
  const target = wanted.target ?? '/';
  return { method: 'POST', url: new URL(base), headers: [], payload: Buffer.from(payload), ...wanted, target };
}

/** All ways to send must behave alike. */
const WAYS = {
  send: async (from: Sender, one: OutgoingRequest, options: SendOptions) => (await from.send(one, options)).outcome,
  sendMany: async (from: Sender, one: OutgoingRequest, options: SendOptions) =>
    (await from.sendMany(one, options)).outcome,
  sendTogether: async (from: Sender, one: OutgoingRequest, options: SendOptions) =>
    (await from.sendTogether([one], options)).sent[0]?.outcome as Outcome,
};

/** Requests that are never completed only keep the receiver busy while the others are released. */
function isDistraction(bytes: Buffer): boolean {
  return bytes.toString('latin1').startsWith('OPTIONS * ');
}

const QUICK = { timeoutMs: 5000 };
const OK = 'HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n';

describe.each(Object.entries(WAYS))('%s', (way, exchange) => {
  async function bytesOf(wanted: Wanted): Promise<string> {
    const seen: Buffer[] = [];
    const { port } = await server((socket) =>
      onRequest(socket, (bytes) => {
        seen.push(bytes);
        socket.write(OK);
      }),
    );
    const outcome = await exchange(sender(), request(`http://127.0.0.1:${port}`, wanted), QUICK);
    expect(outcome).toMatchObject({ kind: 'response', status: 200 });
    expect(seen).toHaveLength(1);
    return (seen[0] as Buffer).toString('latin1').replace(`127.0.0.1:${port}`, 'RECEIVER');
  }

  const connection = way === 'sendTogether' ? 'close' : 'keep-alive';

  it('sends exactly the request: target, header order, case, repetition, bytes', async () => {
    const headers: Headers = [
      ['X-Twice', 'one'],
      ['content-TYPE', 'application/json; charset=utf-8'],
      ['x-twice', 'two'],
      ['X-Empty', ''],
      ['User-Agent', 'Stripe/1.0'],
      ['X-Bytes', '\xe9\xff'],
    ];
    const payload = '{"a": 1.0,\n "a":1, "é":"\u2028😀"}\n';
    expect(await bytesOf({ target: '/a//b/../c%2Fd?x=%2f&x=2&', headers, payload })).toBe(
      [
        'POST /a//b/../c%2Fd?x=%2f&x=2& HTTP/1.1',
        'host: RECEIVER',
        `connection: ${connection}`,
        'X-Twice: one',
        'content-TYPE: application/json; charset=utf-8',
        'x-twice: two',
        'X-Empty: ',
        'User-Agent: Stripe/1.0',
        'X-Bytes: \xe9\xff',
        `content-length: ${Buffer.byteLength(payload)}`,
        '',
        Buffer.from(payload).toString('latin1'),
      ].join('\r\n'),
    );
  });

  it.each<[string, Wanted, string]>([
    [
      'an empty POST',
      { payload: '' },
      `POST / HTTP/1.1\r\nhost: RECEIVER\r\nconnection: ${connection}\r\ncontent-length: 0\r\n\r\n`,
    ],
    [
      'an empty GET',
      { method: 'GET', payload: '' },
      `GET / HTTP/1.1\r\nhost: RECEIVER\r\nconnection: ${connection}\r\n\r\n`,
    ],
    [
      'a GET with a body',
      { method: 'GET', payload: 'x' },
      `GET / HTTP/1.1\r\nhost: RECEIVER\r\nconnection: ${connection}\r\ncontent-length: 1\r\n\r\nx`,
    ],
    [
      'a DELETE with a body',
      { method: 'DELETE', payload: 'x' },
      `DELETE / HTTP/1.1\r\nhost: RECEIVER\r\nconnection: ${connection}\r\ncontent-length: 1\r\n\r\nx`,
    ],
    [
      'another Host',
      {
        payload: 'x',
        headers: [
          ['A', '1'],
          ['Host', 'app.test'],
        ],
      },
      `POST / HTTP/1.1\r\nhost: app.test\r\nconnection: ${connection}\r\nA: 1\r\ncontent-length: 1\r\n\r\nx`,
    ],
  ])('sends %s', async (_title, wanted, bytes) => {
    expect(await bytesOf(wanted)).toBe(bytes);
  });

  it('gives the answer as it came, cut to what is to be kept, and follows no redirect', async () => {
    const paths: string[] = [];
    const { port } = await server((socket) =>
      onRequest(socket, (bytes) => {
        paths.push(bytes.toString('latin1').split(' ')[1] ?? '');
        socket.write(
          'HTTP/1.1 307 Elsewhere\r\nLocation: /other\r\nset-COOKIE: a\r\nSet-Cookie: b\r\nContent-Length: 9\r\n\r\n123456789',
        );
      }),
    );
    const outcome = await exchange(sender(), request(`http://127.0.0.1:${port}`), { ...QUICK, maxBodyBytes: 4 });
    expect(outcome).toEqual({
      kind: 'response',
      status: 307,
      headers: [
        ['Location', '/other'],
        ['set-COOKIE', 'a'],
        ['Set-Cookie', 'b'],
        ['Content-Length', '9'],
      ],
      body: Buffer.from('1234'),
    });
    expect(paths).toEqual(['/']);
  });

  it.each(['127.0.0.1', '::1'])('reaches localhost when the receiver listens on %s only', async (host) => {
    const { port } = await server((socket) => onRequest(socket, () => socket.write(OK)), host);
    const outcome = await exchange(sender(), request(`http://localhost:${port}`), QUICK);
    expect(outcome).toMatchObject({ kind: 'response', status: 200 });
  });

  it('reaches a name below localhost without asking a resolver', async () => {
    const { port } = await server((socket) => onRequest(socket, () => socket.write(OK)));
    const outcome = await exchange(sender(), request(`http://app.localhost:${port}`), QUICK);
    expect(outcome).toMatchObject({ kind: 'response', status: 200 });
  });

  it('names both addresses when nobody listens', async () => {
    const { port, close } = await rawServer(() => {});
    await close();
    const outcome = await exchange(sender(), request(`http://localhost:${port}`), QUICK);
    expect(outcome).toEqual({
      kind: 'no-response',
      reason: 'refused',
      detail: `No connection to localhost:${port}: ECONNREFUSED (tried 127.0.0.1:${port}, [::1]:${port}). Is the receiver running?`,
    });
  });

  it('says that a name cannot be resolved', async () => {
    const outcome = await exchange(sender(), request('http://nobody.invalid'), QUICK);
    expect(outcome).toMatchObject({
      kind: 'no-response',
      reason: 'dns',
      detail: expect.stringContaining('nobody.invalid'),
    });
  });

  it.each([
    ['no byte', ''],
    ['half an answer', 'HTTP/1.1 200 OK\r\nContent-Length: 50\r\n\r\nhalf'],
  ])('calls a connection reset after %s a reset', async (_title, answer) => {
    const { port } = await server((socket) =>
      onRequest(socket, () => {
        socket.write(answer, () => socket.resetAndDestroy());
      }),
    );
    const outcome = await exchange(sender(), request(`http://127.0.0.1:${port}`), QUICK);
    expect(outcome).toMatchObject({ kind: 'no-response', reason: 'reset' });
    expect((outcome as { detail: string }).detail).toContain(
      answer ? "in the middle of the receiver's 200 answer" : 'before the receiver answered',
    );
  });

  it('gives up at the timeout, hangs up, and the next delivery is not held back', async () => {
    let requests = 0;
    const closed: Array<Promise<void>> = [];
    const { port } = await server((socket) => {
      closed.push(new Promise((resolve) => socket.on('close', () => resolve())));
      onRequest(socket, () => ++requests === 1 || socket.write(OK));
    });
    const from = sender({ connections: 1 });
    const startMs = systemClock.now();
    const outcome = await exchange(from, request(`http://127.0.0.1:${port}`), { timeoutMs: 60 });
    expect(outcome).toEqual({ kind: 'no-response', reason: 'timeout', detail: 'No complete answer within 60 ms.' });
    expect(systemClock.now() - startMs).toBeGreaterThanOrEqual(60);
    await closed[0];
    expect(await exchange(from, request(`http://127.0.0.1:${port}`), QUICK)).toMatchObject({ status: 200 });
  });

  it('gives up on an answer that trickles in', async () => {
    const { port } = await server((socket) => {
      onRequest(socket, () => {
        socket.write('HTTP/1.1 200 OK\r\n\r\n');
        const trickle = setInterval(() => socket.write('x'), 5);
        socket.on('close', () => clearInterval(trickle));
      });
    });
    const outcome = await exchange(sender(), request(`http://127.0.0.1:${port}`), { timeoutMs: 60 });
    expect(outcome).toMatchObject({ kind: 'no-response', reason: 'timeout' });
  });

  it('waits for ever with a timeout of 0, until it is called off', async () => {
    const cancel = new AbortController();
    const { port } = await server((socket) => onRequest(socket, () => setTimeout(() => cancel.abort(), 50)));
    const outcome = await exchange(sender(), request(`http://127.0.0.1:${port}`), {
      timeoutMs: 0,
      signal: cancel.signal,
    });
    expect(outcome).toMatchObject({ kind: 'no-response', reason: 'aborted' });
  });

  it('sends nothing when it was called off before', async () => {
    let connections = 0;
    const { port } = await server(() => connections++);
    const outcome = await exchange(sender(), request(`http://127.0.0.1:${port}`), {
      timeoutMs: 0,
      signal: AbortSignal.abort(),
    });
    expect(outcome).toMatchObject({ kind: 'no-response', reason: 'aborted' });
    expect(connections).toBe(0);
  });

  it('says what a port speaks that speaks no HTTP', async () => {
    const { port } = await server((socket) => socket.write('220 mail.test ESMTP\r\n'));
    const outcome = await exchange(sender(), request(`http://127.0.0.1:${port}`), QUICK);
    expect(outcome).toMatchObject({
      kind: 'no-response',
      reason: 'not-http',
      detail: expect.stringContaining('220 mail.test'),
    });
  });
});

describe.each(['send', 'sendMany'] as const)('the connections of %s', (way) => {
  it('carries one after the other over a kept connection', async () => {
    let connections = 0;
    const { port } = await server((socket) => {
      connections++;
      onRequest(socket, () => socket.write(OK));
    });
    const { [way]: send } = sender({ connections: 1 });
    for (let n = 0; n < 20; n++) await send(request(`http://127.0.0.1:${port}`), QUICK);
    expect(connections).toBe(1);
  });

  it('loses no delivery to a receiver that closes behind each answer without saying so', async () => {
    let requests = 0;
    const { port } = await server((socket) =>
      onRequest(socket, () => {
        requests++;
        socket.end(OK);
      }),
    );
    const { [way]: send } = sender({ connections: 2 });
    for (let n = 0; n < 300; n++) {
      expect(await send(request(`http://127.0.0.1:${port}`), QUICK)).toMatchObject({ outcome: { status: 200 } });
    }
    expect(requests).toBe(300);
  });

  it('stops keeping connections once a receiver has closed one unannounced', async () => {
    const heads: string[] = [];
    const sockets: Socket[] = [];
    const { port } = await server((socket) => {
      sockets.push(socket);
      onRequest(socket, (bytes) => {
        heads.push(bytes.toString('latin1'));
        socket.write(OK);
      });
    });
    const { [way]: send } = sender({ connections: 1 });
    await send(request(`http://127.0.0.1:${port}`), QUICK);
    // A close right behind an answer would mean less: the connection has to lie idle.
    for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setImmediate(resolve));
    const closed = once(sockets[0] as Socket, 'close');
    sockets[0]?.end();
    await closed;
    await send(request(`http://127.0.0.1:${port}`), QUICK);
    expect(heads.map((head) => /connection: (.*)\r/.exec(head)?.[1])).toEqual(['keep-alive', 'close']);
  });

  it.each([
    ['said that it closes', 'HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 0\r\n\r\n'],
    ['is of HTTP/1.0', 'HTTP/1.0 200 OK\r\nContent-Length: 0\r\n\r\n'],
    ['has more bytes behind it', `${OK}HTTP/1.1 500 Who asked\r\nContent-Length: 0\r\n\r\n`],
  ])('takes a fresh connection behind an answer that %s', async (_title, answer) => {
    let connections = 0;
    const { port } = await server((socket) => {
      connections++;
      onRequest(socket, () => socket.write(answer));
    });
    const { [way]: send } = sender({ connections: 1 });
    for (let n = 0; n < 3; n++) {
      const { outcome } = await send(request(`http://127.0.0.1:${port}`), QUICK);
      expect(outcome).toMatchObject({ kind: 'response', status: 200 });
    }
    expect(connections).toBe(3);
  });

  it('says that a reset connection had been used before', async () => {
    const { port } = await server((socket) => {
      let requests = 0;
      onRequest(socket, () => (++requests === 2 ? socket.resetAndDestroy() : socket.write(OK)));
    });
    const { [way]: send } = sender({ connections: 1 });
    await send(request(`http://127.0.0.1:${port}`), QUICK);
    const { outcome } = await send(request(`http://127.0.0.1:${port}`), QUICK);
    expect(outcome).toMatchObject({
      reason: 'reset',
      detail: expect.stringContaining('may have closed it between two'),
    });
  });

  it('keeps to its number of connections, and waits in turn', async () => {
    let open = 0;
    let most = 0;
    const { port } = await server((socket) => {
      most = Math.max(most, ++open);
      socket.on('close', () => open--);
      onRequest(socket, () => setImmediate(() => socket.write(OK)));
    });
    const { [way]: send } = sender({ connections: 3 });
    const sent = await Promise.all(Array.from({ length: 50 }, () => send(request(`http://127.0.0.1:${port}`), QUICK)));
    expect(sent.every(({ outcome }) => outcome.kind === 'response')).toBe(true);
    expect(most).toBe(3);
  });

  it.runIf(process.platform === 'linux')(
    'makes 5,000 deliveries with 256 file handles',
    async () => {
      const folder = mkdtempSync(join(tmpdir(), 'webhook-replay-many-'));
      toClose.push(() => rmSync(folder, { recursive: true, force: true }));
      const entry = fileURLToPath(new URL('../../support/many-sends.ts', import.meta.url));
      const build = ['tsdown', entry, '--no-config', '--out-dir', folder, '--logLevel', 'silent'];
      execFileSync('npx', build, { stdio: 'ignore' });
      const { port } = await server((socket) => onRequest(socket, () => socket.write(OK)));
      const child = spawn('sh', [
        '-c',
        'ulimit -n 256 && exec "$0" "$@"',
        process.execPath,
        join(folder, 'many-sends.mjs'),
        String(port),
        way,
      ]);
      const told = await child.stdout.toArray();
      expect(JSON.parse(Buffer.concat(told).toString())).toEqual({ 'answered 200': 5000 });
    },
    60_000,
  );
});

describe('sendTogether', () => {
  // On a busy machine the receiver may read the first part too late; then the race has not been set up, and is again.
  it('lets no request be read whole before its release, then all of them within the spread it tells', {
    retry: 3,
  }, async () => {
    const COUNT = 5;
    const seen: string[] = [];
    const begun: number[] = [];
    const whole: number[] = [];
    const { port } = await server((socket) => {
      socket.once('data', (bytes: Buffer) => {
        if (!isDistraction(bytes)) begun.push(systemClock.now());
      });
      onRequest(socket, (bytes) => {
        whole.push(systemClock.now());
        seen.push(bytes.toString('latin1').split('\r\n\r\n')[1] ?? '');
        socket.write(OK);
      });
    });
    const payloads = Array.from({ length: COUNT }, (_, index) => JSON.stringify({ index }));
    const requests = payloads.map((payload) => request(`http://127.0.0.1:${port}`, { payload }));
    const { sent, spreadMicros } = await sender().sendTogether(requests, QUICK);
    const releases = sent.map(({ sentMs }) => sentMs);
    const firstMs = Math.max(...releases) - spreadMicros / 1000;
    expect(sent.map(({ outcome }) => outcome.kind)).toEqual(Array(COUNT).fill('response'));
    expect(begun).toHaveLength(COUNT);
    expect(Math.max(...begun)).toBeLessThan(firstMs);
    expect(Math.min(...whole)).toBeGreaterThan(firstMs);
    expect(Math.min(...releases)).toBeGreaterThanOrEqual(firstMs);
    expect([...seen].sort()).toEqual([...payloads].sort());
    expect(spreadMicros).toBeLessThan(50_000);
  });

  it('keeps the receiver busy with requests that are never complete', async () => {
    const heads: string[] = [];
    const ended: Array<Promise<unknown>> = [];
    const { port } = await server((socket) => {
      socket.on('error', () => {});
      let text = '';
      ended.push(once(socket, 'close').then(() => isDistraction(Buffer.from(text)) && heads.push(text)));
      socket.on('data', (piece: Buffer) => {
        text += piece.toString('latin1');
      });
      onRequest(socket, () => socket.write(OK));
    });
    await sender().sendTogether([request(`http://127.0.0.1:${port}`)], QUICK);
    await Promise.all(ended);
    expect(heads.length).toBeGreaterThan(0);
    expect(heads.filter((head) => head.includes('\r\n\r\n'))).toEqual([]);
    expect(heads.some((head) => head.length > 10_000)).toBe(true);
  });

  it('holds an empty request back before the end of its head', async () => {
    const pieces: string[] = [];
    const { port } = await server((socket) => {
      socket.once('data', (bytes: Buffer) => {
        if (isDistraction(bytes)) return;
        pieces.push(bytes.toString());
        socket.on('data', (piece: Buffer) => pieces.push(piece.toString()));
      });
      onRequest(socket, () => socket.write(OK));
    });
    await sender().sendTogether([request(`http://127.0.0.1:${port}`, { method: 'GET', payload: '' })], QUICK);
    expect(pieces[0]).toMatch(/^GET \/ HTTP.*connection: close\r\n$/s);
    expect(pieces.slice(1).join('')).toBe('\r\n');
  });

  it('releases the others when one has no connection', async () => {
    const gone = await rawServer(() => {});
    await gone.close();
    const { port } = await server((socket) => onRequest(socket, () => socket.write(OK)));
    const { sent } = await sender().sendTogether(
      [gone.port, port].map((one) => request(`http://127.0.0.1:${one}`)),
      QUICK,
    );
    expect(sent.map(({ outcome }) => (outcome.kind === 'response' ? outcome.status : outcome.reason))).toEqual([
      'refused',
      200,
    ]);
  });

  it('takes an answer that comes before the release', async () => {
    const { port } = await server((socket) => {
      socket.once('data', () => socket.end('HTTP/1.1 413 Too Large\r\nContent-Length: 0\r\nConnection: close\r\n\r\n'));
    });
    const { sent } = await sender().sendTogether([request(`http://127.0.0.1:${port}`)], QUICK);
    expect(sent[0]?.outcome).toMatchObject({ kind: 'response', status: 413 });
  });

  it('has the patience of its timeout for a receiver that takes no large body', async () => {
    const { port } = await server((socket) => socket.pause());
    const payload = 'x'.repeat(30_000_000);
    const { sent } = await sender().sendTogether([request(`http://127.0.0.1:${port}`, { payload })], {
      timeoutMs: 100,
    });
    expect(sent[0]?.outcome).toMatchObject({ kind: 'no-response', reason: 'timeout' });
  });
});

describe('over TLS', () => {
  // Self-signed for "localhost", valid until 2120; it vouches for nothing but these tests.
  const [key, cert] = ['key', 'cert'].map((part) =>
    readFileSync(new URL(`../../support/tls/localhost-${part}.pem`, import.meta.url)),
  ) as [Buffer, Buffer];
  const pem = { key, cert };

  async function httpsServer(): Promise<{ readonly port: number; readonly names: Array<string | false> }> {
    const names: Array<string | false> = [];
    const made = createHttpsServer(pem, (incoming, response) => {
      names.push((incoming.socket as unknown as { servername: string | false }).servername);
      incoming.resume().on('end', () => response.end('over tls'));
    });
    await new Promise<void>((resolve) => made.listen(0, '127.0.0.1', resolve));
    toClose.push(() => {
      made.closeAllConnections();
      made.close();
    });
    return { port: (made.address() as AddressInfo).port, names };
  }

  describe.each(Object.entries(WAYS))('%s', (_way, exchange) => {
    it('refuses a certificate that nobody vouches for', async () => {
      const { port } = await httpsServer();
      const outcome = await exchange(sender(), request(`https://localhost:${port}`), QUICK);
      expect(outcome).toMatchObject({
        kind: 'no-response',
        reason: 'tls',
        detail: expect.stringContaining('DEPTH_ZERO_SELF_SIGNED_CERT'),
      });
    });

    it('takes any certificate when told to, and a given authority; the name follows the receiver, not the Host header', async () => {
      const { port, names } = await httpsServer();
      const headers: Headers = [['Host', 'app.test']];
      for (const from of [sender({ insecure: true }), sender({ ca: pem.cert })]) {
        const outcome = await exchange(from, request(`https://localhost:${port}`, { headers }), QUICK);
        expect(outcome).toMatchObject({ kind: 'response', status: 200, body: Buffer.from('over tls') });
      }
      expect(names).toEqual(['localhost', 'localhost']);
    });

    it('does not take a certificate for another name', async () => {
      const { port } = await httpsServer();
      const outcome = await exchange(sender({ ca: pem.cert }), request(`https://127.0.0.1:${port}`), QUICK);
      expect(outcome).toMatchObject({ reason: 'tls', detail: expect.stringContaining('ALTNAME') });
    });

    it('says that a port speaks no TLS', async () => {
      const made = createHttpServer((_incoming, response) => response.end());
      await new Promise<void>((resolve) => made.listen(0, '127.0.0.1', resolve));
      toClose.push(() => made.close());
      const { port } = made.address() as AddressInfo;
      const outcome = await exchange(sender(), request(`https://127.0.0.1:${port}`), QUICK);
      expect(outcome).toMatchObject({ reason: 'tls', detail: expect.stringContaining('Does this port speak TLS?') });
    });
  });
});
