import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { type CaptureProcess, EVERYTHING, readCorpus, startCaptureCli } from '../support/capture-cli.ts';
import { sha256 } from '../support/capture-harness.ts';
import { runCli, startCli, waitForOutput } from '../support/cli.ts';
import { openRaw, rawPost, sendRaw } from '../support/raw-http.ts';
import { type RecordingReceiver, type Respond, startRecordingReceiver } from '../support/recording-receiver.ts';
import { tempFolder } from '../support/temp-folder.ts';

const MB = 1024 * 1024;

const processes: CaptureProcess[] = [];
const receivers: RecordingReceiver[] = [];

async function capture(cwd: string, ...args: string[]): Promise<CaptureProcess> {
  const started = await startCaptureCli(args, { cwd });
  processes.push(started);
  return started;
}

async function receiver(respond?: Respond): Promise<RecordingReceiver> {
  const started = await startRecordingReceiver(respond);
  receivers.push(started);
  return started;
}

afterEach(async () => {
  for (const { child } of processes.splice(0)) child.kill('SIGKILL');
  await Promise.all(receivers.splice(0).map((one) => one.close()));
});

describe('capture', { timeout: 60_000 }, () => {
  it('stores what it answers, and says what it stored in text and as NDJSON', async () => {
    const folder = tempFolder();
    const running = await capture(folder, '--tag', 'a', '--tag', 'b', '--exit-after', '1');
    const body = '{"id":"evt_1","type":"order.paid"}';
    const answer = await sendRaw(running.port, rawPost('/hooks?a=1', ['Content-Type: application/json'], body));
    expect(answer).toMatchObject({ status: 200 });
    expect(answer.body).toHaveLength(0);
    expect(await running.exit).toBe(0);
    expect(running.text()).toContain(`Capturing on ${running.url} into `);
    expect(running.text()).toContain('answered 200');
    expect(running.text()).toContain('ngrok http');
    expect(running.lines.map(({ type, seq }) => [type, seq])).toEqual([
      ['ready', 1],
      ['captured', 2],
      ['stopped', 3],
    ]);
    const { id } = (await running.line('captured'))['event'] as { id: string };
    expect(running.lines[1]).toMatchObject({
      event: { provider: 'generic', type: 'order.paid', eventId: 'evt_1', bytes: body.length, method: 'POST' },
      answer: 200,
    });
    expect(running.lines[2]).toMatchObject({ why: 'exit-after', counts: { captured: 1, rejected: 0 } });
    readCorpus(folder, (corpus) => {
      expect(corpus.get(id)).toMatchObject({ path: '/hooks', query: 'a=1', tags: ['a', 'b'], eventId: 'evt_1' });
      expect(corpus.answerOf(id)).toMatchObject({ kind: 'answered', by: 'capture', status: 200 });
    });
  });

  it('shows a line per delivery to people', async () => {
    const folder = tempFolder();
    const child = startCli(['capture', '--port', '0', '--exit-after', '1'], { cwd: folder });
    const [, port] = await waitForOutput(child.stderr, /http:\/\/127\.0\.0\.1:(\d+) /);
    const line = waitForOutput(
      child.stderr,
      /\d\d:\d\d:\d\d\.\d{3} {2}(\S+) {2}stripe {2}invoice\.paid {2}evt_7 {2}\d+ B {2}200\n/,
    );
    const body = '{"id":"evt_7","object":"event","type":"invoice.paid"}';
    await sendRaw(Number(port), rawPost('/', ['Stripe-Signature: t=1,v1=00'], body));
    const [, id] = await line;
    await once(child, 'close');
    readCorpus(folder, (corpus) => expect(corpus.get(id as string)?.eventId).toBe('evt_7'));
  });

  it('lets no control character of a sender reach the terminal', async () => {
    const folder = tempFolder();
    const child = startCli(['listen', '--port', '0', '--exit-after', '1'], { cwd: folder });
    const [, port] = await waitForOutput(child.stderr, /http:\/\/127\.0\.0\.1:(\d+) /);
    const line = waitForOutput(child.stderr, /generic.*\n/);
    await sendRaw(Number(port), rawPost('/', ['Content-Type: application/json'], '{"id":"\\u001b[2Jx","type":"t"}'));
    expect((await line)[0]).toContain('?[2Jx');
    await once(child, 'close');
  });

  it('answers with the status, headers and body of its flags', async () => {
    const folder = tempFolder();
    writeFileSync(join(folder, 'answer.bin'), Buffer.from([0xff, 0x00, 0x0a]));
    const flags = ['--status', '503', '--body', '@answer.bin', '-H', 'Retry-After: 5', '-H', 'X-A: 1, 2'];
    const running = await capture(folder, ...flags);
    const answer = await sendRaw(running.port, rawPost('/', [], 'x'));
    expect(answer.status).toBe(503);
    expect(answer.headers).toEqual(
      expect.arrayContaining([
        ['Retry-After', '5'],
        ['X-A', '1, 2'],
      ]),
    );
    expect([...answer.body]).toEqual([0xff, 0x00, 0x0a]);
  });

  it('keeps 200 concurrent deliveries apart', async () => {
    const folder = tempFolder();
    const running = await capture(folder);
    const bodies = Array.from({ length: 200 }, (_, index) => randomBytes(200 + index * 31));
    const answers = await Promise.all(
      bodies.map((body, index) => sendRaw(running.port, rawPost(`/${index}`, [], body))),
    );
    expect(answers.every(({ status }) => status === 200)).toBe(true);
    expect(await running.stop()).toBe(130);
    const events = readCorpus(folder, (corpus) => corpus.events(...EVERYTHING));
    expect(new Set(events.map(({ path }) => path)).size).toBe(200);
    for (const { path, payload } of events) {
      expect(sha256(payload)).toBe(sha256(bodies[Number(path.slice(1))] as Buffer));
    }
  });

  it('keeps bodies from a byte to 25 MiB, and marks what is over the limit', async () => {
    const folder = tempFolder();
    const running = await capture(folder, '--limit', '25mb');
    const sizes = [1, 65_535, 65_536, 65_537, MB, 25 * MB, 25 * MB + 1];
    const bodies = sizes.map((size) => randomBytes(size));
    const statuses: number[] = [];
    for (const body of bodies) statuses.push((await sendRaw(running.port, rawPost('/', [], body))).status);
    expect(statuses).toEqual([200, 200, 200, 200, 200, 200, 413]);
    expect(await running.line('rejected')).toMatchObject({ reason: 'too-large', status: 413 });
    await running.stop();
    const events = readCorpus(folder, (corpus) => corpus.events(...EVERYTHING));
    for (const [index, body] of bodies.slice(0, 6).entries()) {
      expect(sha256(events[index]?.payload ?? Buffer.of())).toBe(sha256(body));
      expect(events[index]?.marks).toEqual([]);
    }
    expect(events[6]).toMatchObject({ marks: ['truncated'], originalBytes: 25 * MB + 1 });
    expect(events[6]?.payload).toHaveLength(25 * MB);
  });

  it('marks a delivery whose sender broke off', async () => {
    const folder = tempFolder();
    const running = await capture(folder);
    const connection = await openRaw(running.port);
    connection.write('POST /cut HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\nabc');
    connection.socket.end();
    const line = await running.line('captured');
    expect(line).toMatchObject({ event: { marks: ['incomplete'], bytes: 3 }, answer: null });
    await running.stop();
    readCorpus(folder, (corpus) => {
      expect(corpus.answerOf((line['event'] as { id: string }).id)).toBeUndefined();
    });
  });

  it('answers 500 while the corpus is locked, says so, and takes deliveries again', { timeout: 90_000 }, async () => {
    const folder = tempFolder();
    const running = await capture(folder);
    const { default: Database } = await import('better-sqlite3');
    const lock = new Database(join(folder, '.webhook-replay', 'corpus.db'));
    lock.exec('BEGIN IMMEDIATE');
    expect((await sendRaw(running.port, rawPost('/', [], 'x'))).status).toBe(500);
    expect(await running.line('rejected')).toMatchObject({ reason: 'not-stored', status: 500 });
    lock.exec('ROLLBACK');
    lock.close();
    expect((await sendRaw(running.port, rawPost('/', [], 'y'))).status).toBe(200);
    await running.stop();
    const events = readCorpus(folder, (corpus) => corpus.events(...EVERYTHING));
    expect(events.map(({ payload }) => Buffer.from(payload).toString())).toEqual(['y']);
  });
});

describe('capture --forward', { timeout: 60_000 }, () => {
  it('joins path and query as the flag says', async () => {
    const folder = tempFolder();
    const target = await receiver();
    const running = await capture(folder, '--forward', `${target.url}/own%2Fpath?k=v`);
    await sendRaw(running.port, rawPost('/captured?a=1&a=2', [], 'x'));
    expect(target.requests[0]?.requestLine).toBe('POST /own%2Fpath?k=v&a=1&a=2 HTTP/1.1');
  });

  it('keeps the Host of the sender when asked, and passes credentials on within this machine', async () => {
    const folder = tempFolder();
    const target = await receiver();
    const running = await capture(folder, '--forward', String(target.port), '--preserve-host');
    await sendRaw(running.port, rawPost('/', ['Authorization: Basic eDp5'], 'x'));
    const headers = target.requests[0]?.headers.map(([name, value]) => `${name.toLowerCase()}: ${value}`);
    expect(headers).toContain('host: capture.test');
    expect(headers).toContain('authorization: Basic eDp5');
  });

  it('waits for a slow receiver and returns its real answer, a redirect too', async () => {
    const folder = tempFolder();
    const target = await receiver((_request, socket) => {
      setTimeout(() => socket.write('HTTP/1.1 302 Found\r\nLocation: /else\r\nContent-Length: 3\r\n\r\nabc'), 700);
      return undefined;
    });
    const running = await capture(folder, '--forward', target.url);
    const answer = await sendRaw(running.port, rawPost('/', [], 'x'));
    expect(answer.status).toBe(302);
    expect(answer.headers).toContainEqual(['Location', '/else']);
    expect(answer.body.toString()).toBe('abc');
    expect(await running.line('forwarded')).toMatchObject({
      answer: { kind: 'answered', by: 'receiver', status: 302 },
    });
    expect(target.requests).toHaveLength(1);
  });

  it('returns a large answer whole', async () => {
    const folder = tempFolder();
    const body = randomBytes(3 * MB);
    const head = Buffer.from(`HTTP/1.1 200 OK\r\nContent-Length: ${body.length}\r\n\r\n`);
    const target = await receiver(() => Buffer.concat([head, body]));
    const running = await capture(folder, '--forward', target.url);
    expect(sha256((await sendRaw(running.port, rawPost('/', [], 'x'))).body)).toBe(sha256(body));
  });

  it.each([
    ['is too slow', () => undefined, 504, 'timeout'],
    ['breaks off', (_request, socket) => void socket.destroy(), 502, 'reset'],
    [
      'breaks off in its answer',
      (_request, socket) => void socket.end('HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc'),
      502,
      'reset',
    ],
    ['speaks no HTTP', (_request, socket) => void socket.end('hello\r\n\r\n'), 502, 'not-http'],
  ] as ReadonlyArray<readonly [string, Respond, number, string]>)(
    'tells the sender of a receiver that %s, and never notes it as delivered',
    async (...[, respond, status, reason]) => {
      const folder = tempFolder();
      const target = await receiver(respond);
      const running = await capture(folder, '--forward', target.url, '--timeout', '300ms');
      const answer = await sendRaw(running.port, rawPost('/', [], 'x'));
      expect(answer.status).toBe(status);
      expect(answer.body.toString()).toContain(`(${reason})`);
      const { event } = (await running.line('forwarded')) as unknown as { event: { id: string } };
      await running.stop();
      readCorpus(folder, (corpus) => {
        const noted = corpus.answerOf(event.id);
        expect(noted).toMatchObject({ kind: 'not-delivered', reason: expect.stringContaining(reason) });
      });
    },
  );

  it('tells the sender of a receiver that refuses', async () => {
    const folder = tempFolder();
    const target = await receiver();
    await target.close();
    const running = await capture(folder, '--forward', target.url);
    const answer = await sendRaw(running.port, rawPost('/', [], 'x'));
    expect(answer.status).toBe(502);
    expect(answer.body.toString()).toContain('(refused)');
    expect(await running.line('forwarded')).toMatchObject({ told: 502, answer: { kind: 'not-delivered' } });
  });

  it.each(['localhost', '127.0.0.1', '[::1]', '0.0.0.0', '127.1'])(
    'refuses to forward to itself as %s',
    async (host) => {
      const folder = tempFolder();
      const port = await freePort();
      const { code, stderr } = await runCli(['capture', '--port', `${port}`, '--forward', `http://${host}:${port}/x`], {
        cwd: folder,
      });
      expect(code).toBe(2);
      expect(stderr).toContain('this capture itself');
      expect(stderr).not.toContain('Capturing on');
    },
  );

  it('asks for --allow-host before anything leaves this machine', async () => {
    const { code, stderr } = await runCli(['capture', '--port', '0', '--forward', 'https://receiver.test/x'], {
      cwd: tempFolder(),
    });
    expect(code).toBe(2);
    expect(stderr).toContain('--allow-host receiver.test');
  });
});

describe('the life of capture', { timeout: 60_000 }, () => {
  it('writes the URL to a file that is never half there', async () => {
    const folder = tempFolder();
    writeFileSync(join(folder, 'url.txt'), 'http://old.test\n');
    const running = await capture(folder, '--ready-file', 'url.txt', '--exit-after', '1');
    while (!existsSync(join(folder, 'url.txt'))) await new Promise((resolve) => setTimeout(resolve, 10));
    const url = readFileSync(join(folder, 'url.txt'), 'utf8');
    expect(url).toBe(`${running.url}\n`);
    await sendRaw(Number(new URL(url.trim()).port), rawPost('/', [], 'x'));
    expect(await running.exit).toBe(0);
  });

  it('names the port that is in use and exits with 2', async () => {
    const folder = tempFolder();
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const { port } = other.address() as { port: number };
    const { code, stderr, stdout } = await runCli(['capture', '--port', `${port}`, '--json'], { cwd: folder });
    other.close();
    expect(code).toBe(2);
    expect(stderr).toContain(`Port ${port} on 127.0.0.1 is in use`);
    expect(JSON.parse(stdout)).toMatchObject({ verdict: 'error', error: { code: 'PORT_IN_USE' } });
  });

  it('ends with 0 when nothing comes, although standard input is closed', async () => {
    const { code, stderr } = await runCli(['capture', '--port', '0', '--exit-on-idle', '300ms'], { cwd: tempFolder() });
    expect(code).toBe(0);
    expect(stderr).toContain('Captured 0 deliveries');
  });

  it.each(['SIGINT', 'SIGTERM'] as const)('finishes an open request at %s and exits with 130', async (signal) => {
    const folder = tempFolder();
    const running = await capture(folder);
    running.child.stdin.end();
    const connection = await openRaw(running.port);
    connection.write('POST / HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n');
    // The 100 shows that the request is open.
    await once(connection.socket, 'data');
    running.child.kill(signal);
    await untilRefused(running.port);
    connection.write('ok');
    expect((await connection.answer()).status).toBe(200);
    expect(await running.exit).toBe(130);
    expect(running.lines.at(-1)).toMatchObject({ type: 'stopped', why: 'interrupted', counts: { captured: 1 } });
    expect(readCorpus(folder, (corpus) => corpus.count({}))).toBe(1);
  });

  it('keeps what was open too long at Ctrl-C as incomplete', async () => {
    const folder = tempFolder();
    const running = await capture(folder);
    const connection = await openRaw(running.port);
    connection.write('POST / HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\na');
    await once(connection.socket, 'data');
    const started = performance.now();
    expect(await running.stop()).toBe(130);
    expect(performance.now() - started).toBeLessThan(15_000);
    const events = readCorpus(folder, (corpus) => corpus.events(...EVERYTHING));
    expect(events[0]).toMatchObject({ marks: ['incomplete'] });
  });

  it('survives garbage', async () => {
    const running = await capture(tempFolder());
    expect((await sendRaw(running.port, 'GARBAGE\r\n\r\n')).status).toBe(400);
    expect(await running.line('rejected')).toMatchObject({ reason: 'malformed', status: 400 });
    expect((await sendRaw(running.port, rawPost('/', [], 'x'))).status).toBe(200);
  });

  it.each([
    [['--status', '100'], '"100" does not fit --status'],
    [['--port', 'http'], '"http" does not fit -p, --port'],
    [['--limit', '1tb'], '"1tb" is not a size'],
    [['--exit-on-idle', '5'], '"5" is not a duration'],
    [['--exit-after', '0'], '"0" does not fit --exit-after'],
    [['--provider', 'stripy'], 'no provider called "stripy"'],
    [['--insecure'], '--insecure would change nothing'],
    [['--forward', '3000', '--status', '204'], '--status would change nothing'],
    [['--body', '@missing'], '"missing" cannot be read'],
    [['-H', 'nonsense'], '-H "nonsense"'],
    [['--ready-file', 'no/such/folder/url'], '"no/such/folder/url" (--ready-file)'],
    [['--host', '192.0.2.1'], '"192.0.2.1" is no address of this machine'],
  ])('refuses %j before it stores anything', async (flags, message) => {
    const { code, stderr } = await runCli(['capture', '--port', '0', ...flags], { cwd: tempFolder() });
    expect(code).toBe(2);
    expect(stderr).toContain(message);
  });

  it('writes a corpus of its own choice', async () => {
    const folder = tempFolder();
    const running = await capture(folder, '--corpus', 'mine.db', '--exit-after', '1');
    await sendRaw(running.port, rawPost('/', [], 'x'));
    expect(await running.exit).toBe(0);
    expect(statSync(join(folder, 'mine.db')).size).toBeGreaterThan(0);
    expect(existsSync(join(folder, '.webhook-replay'))).toBe(false);
  });
});

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}

async function untilRefused(port: number): Promise<void> {
  for (;;) {
    try {
      (await openRaw(port)).destroy();
    } catch {
      return;
    }
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}
