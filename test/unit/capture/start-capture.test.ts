import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { Worker } from 'node:worker_threads';
import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, it } from 'vitest';
import { fixed, type Harness, type HarnessOptions, sha256, startHarness } from '../../support/capture-harness.ts';
import { openRaw, rawPost, sendRaw } from '../../support/raw-http.ts';

const running: Harness[] = [];

async function start(options: HarnessOptions = {}): Promise<Harness> {
  const harness = await startHarness(options);
  running.push(harness);
  return harness;
}

afterEach(async () => {
  await Promise.all(running.splice(0).map(({ capture }) => capture.stop('interrupted')));
});

describe('what is kept of a request', () => {
  it('keeps method, path, query, and the order, case and repetition of headers', async () => {
    const { capture, stored } = await start();
    const head =
      'PUT /a%2Fb/../c;x?q=1&q=2&%zz HTTP/1.1\r\nhOsT: x.test\r\nX-Two: b\r\nx-one: caf\xe9\r\nX-TWO: a\r\nX-Empty:\r\n';
    await sendRaw(capture.port, `${head}Content-Length: 2\r\n\r\nok`);
    expect(stored[0]).toMatchObject({
      method: 'PUT',
      path: '/a%2Fb/../c;x',
      query: 'q=1&q=2&%zz',
      headers: [
        ['hOsT', 'x.test'],
        ['X-Two', 'b'],
        ['x-one', 'caf\xe9'],
        ['X-TWO', 'a'],
        ['X-Empty', ''],
        ['Content-Length', '2'],
      ],
      marks: [],
    });
    expect(stored[0]?.receivedAt).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  });

  it.each([
    ['no query', '/hooks', '/hooks', null],
    ['an empty query', '/hooks?', '/hooks', ''],
    ['a second question mark', '/hooks?a?b', '/hooks', 'a?b'],
    ['the absolute form', 'http://x.test/hooks?a', '/hooks', 'a'],
    ['the absolute form without a path', 'http://x.test?a', '/', 'a'],
  ])('tells %s apart', async (...[, target, path, query]) => {
    const { capture, stored } = await start();
    await sendRaw(capture.port, rawPost(target, [], 'x'));
    expect(stored[0]).toMatchObject({ path, query });
  });

  it.each([
    ['JSON that a parser would change', Buffer.from('{"a":1.0,"a":12345678901234567890,"u":"\\u00e9"}\r\n\n')],
    ['invalid UTF-8 and NUL', Buffer.from([0xff, 0xfe, 0x00, 0xc3, 0x28, 0x0d, 0x0a])],
    ['a byte order mark', Buffer.from('\ufeff{}')],
    ['gzip', gzipSync('{"id":1}')],
    ['one byte', Buffer.from('x')],
    ['64 KiB less one', randomBytes(65_535)],
    ['64 KiB', randomBytes(65_536)],
    ['64 KiB and one', randomBytes(65_537)],
    ['exactly the limit', randomBytes(1024 * 1024)],
  ])('keeps a body of %s byte for byte', async (_name, body) => {
    const { capture, stored } = await start();
    const answer = await sendRaw(capture.port, rawPost('/', ['Content-Encoding: gzip'], body));
    expect(answer.status).toBe(200);
    expect(sha256(stored[0]?.payload ?? Buffer.of())).toBe(sha256(body));
  });

  it('takes a chunked body apart, also when its last chunk comes much later', async () => {
    const { capture, stored } = await start();
    const connection = await openRaw(capture.port);
    connection.write('POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n');
    await new Promise((resolve) => setTimeout(resolve, 1500));
    expect(stored).toHaveLength(0);
    connection.write('1;ext=1\r\n \r\n5\r\nworld\r\n0\r\n\r\n');
    expect((await connection.answer()).status).toBe(200);
    connection.destroy();
    expect(Buffer.from(stored[0]?.payload ?? []).toString()).toBe('hello world');
    expect(stored[0]?.marks).toEqual([]);
  });

  it.each([
    ['a POST with Content-Length: 0', 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n'],
    ['a POST with neither length nor body', 'POST / HTTP/1.1\r\nHost: x\r\n\r\n'],
    ['a GET', 'GET /?hub.challenge=1 HTTP/1.1\r\nHost: x\r\n\r\n'],
    ['HTTP/1.0 without Host', 'POST / HTTP/1.0\r\n\r\n'],
    [
      'an Upgrade that nobody asked for',
      'POST / HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: h2c\r\nContent-Length: 0\r\n\r\n',
    ],
    ['an unknown Expect', 'POST / HTTP/1.1\r\nHost: x\r\nExpect: nothing\r\nContent-Length: 0\r\n\r\n'],
  ])('accepts %s', async (_name, request) => {
    const { capture, stored } = await start();
    expect((await sendRaw(capture.port, request)).status).toBe(200);
    expect(stored[0]?.payload).toHaveLength(0);
  });

  it('says 100 Continue to a sender that waits for it', async () => {
    const { capture, stored } = await start();
    const connection = await openRaw(capture.port);
    connection.write('POST / HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n');
    const [first] = (await once(connection.socket, 'data')) as [Buffer];
    expect(first.toString()).toBe('HTTP/1.1 100 Continue\r\n\r\n');
    connection.write('ok');
    expect((await connection.answer()).status).toBe(200);
    connection.destroy();
    expect(Buffer.from(stored[0]?.payload ?? []).toString()).toBe('ok');
  });

  it('takes headers of 60 KB and thousands of header lines', async () => {
    const { capture, stored } = await start();
    expect((await sendRaw(capture.port, rawPost('/', [`X-Big: ${'a'.repeat(60_000)}`], 'x'))).status).toBe(200);
    const many = Array.from({ length: 3000 }, (_, index) => `X-${index}: v`);
    expect((await sendRaw(capture.port, rawPost('/', many, 'x'))).status).toBe(200);
    expect(stored[1]?.headers).toHaveLength(3002);
  });

  it('takes several requests of one connection, pipelined too', async () => {
    const { capture, stored } = await start();
    const connection = await openRaw(capture.port);
    connection.write(Buffer.concat([rawPost('/1', [], 'one'), rawPost('/2', [], 'two')]));
    await connection.answer();
    await connection.answer();
    connection.write(rawPost('/3', [], 'three'));
    await connection.answer();
    connection.destroy();
    expect(stored.map(({ path }) => path)).toEqual(['/1', '/2', '/3']);
  });

  it('does not mix up 200 concurrent deliveries', async () => {
    const { capture, stored } = await start();
    const bodies = Array.from({ length: 200 }, (_, index) => randomBytes(100 + index * 37));
    await Promise.all(bodies.map((body, index) => sendRaw(capture.port, rawPost(`/${index}`, [], body))));
    expect(stored).toHaveLength(200);
    for (const { path, payload } of stored) {
      expect(sha256(payload)).toBe(sha256(bodies[Number(path.slice(1))] as Buffer));
    }
  });

  it('keeps the provider and the tags it was told', async () => {
    const { capture, stored } = await start({ provider: 'stripe', tags: ['a', 'b'] });
    await sendRaw(capture.port, rawPost('/', [], 'x'));
    expect(stored[0]).toMatchObject({ provider: 'stripe', tags: ['a', 'b'] });
  });

  it('keeps a delivery whose facts cannot be read', async () => {
    const factsOf = () => {
      throw new Error('odd body');
    };
    const { capture, stored, told } = await start({ factsOf });
    expect((await sendRaw(capture.port, rawPost('/', [], 'x'))).status).toBe(200);
    expect(stored).toHaveLength(1);
    expect((await told('captured')).delivery().provider).toBe('generic');
    expect((await told('warning')).text).toContain('odd body');
  });
});

describe('what cannot be kept', () => {
  it('answers 413 over the limit and keeps the head of the body, marked', async () => {
    const { capture, stored, answers, told } = await start({ limitBytes: 1000 });
    const body = randomBytes(5000);
    expect((await sendRaw(capture.port, rawPost('/', [], body))).status).toBe(413);
    expect(stored[0]).toMatchObject({ marks: ['truncated'], originalBytes: 5000 });
    expect(sha256(stored[0]?.payload ?? Buffer.of())).toBe(sha256(body.subarray(0, 1000)));
    expect(await told('rejected')).toMatchObject({ reason: 'too-large', status: 413, id: 'e1' });
    await capture.stop('interrupted');
    expect(answers.get('e1')).toMatchObject({ kind: 'answered', by: 'capture', status: 413 });
  });

  it('counts a chunked body over the limit', async () => {
    const { capture, stored } = await start({ limitBytes: 3 });
    const request =
      'POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nabcd\r\n4\r\nefgh\r\n0\r\n\r\n';
    expect((await sendRaw(capture.port, request)).status).toBe(413);
    expect(stored[0]).toMatchObject({ marks: ['truncated'], originalBytes: 8 });
    expect(Buffer.from(stored[0]?.payload ?? []).toString()).toBe('abc');
  });

  it('marks a delivery whose sender broke off, and notes no answer', async () => {
    const { capture, stored, answers, told } = await start();
    const connection = await openRaw(capture.port);
    connection.write('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\nabc');
    await untilTrue(() => capture.traffic.open() === 1);
    connection.destroy();
    await told('captured');
    expect(stored[0]).toMatchObject({ marks: ['incomplete'] });
    expect(Buffer.from(stored[0]?.payload ?? []).toString()).toBe('abc');
    await capture.stop('interrupted');
    expect(answers.size).toBe(0);
    expect(capture.traffic.counts()).toMatchObject({ captured: 1, incomplete: 1 });
    expect(capture.traffic.complete()).toBe(0);
  });

  it.each([
    ['garbage', 'GARBAGE\r\n\r\n', 400, 'not valid HTTP'],
    ['a TLS handshake', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc', 400, 'TLS'],
    ['HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 400, 'HTTP/2'],
    ['headers over 64 KB', `POST / HTTP/1.1\r\nX: ${'a'.repeat(70_000)}\r\n\r\n`, 431, 'headers'],
    [
      'two framings at once',
      'POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\n',
      400,
      'HTTP',
    ],
    ['CONNECT', 'CONNECT a.test:443 HTTP/1.1\r\nHost: a.test\r\n\r\n', 400, 'proxy'],
  ])('answers %s with an error, says so and goes on', async (...[, bytes, status, detail]) => {
    const { capture, stored, told } = await start();
    expect((await sendRaw(capture.port, bytes)).status).toBe(status);
    expect(await told('rejected')).toMatchObject({ reason: 'malformed', detail: expect.stringContaining(detail) });
    expect((await sendRaw(capture.port, rawPost('/', [], 'x'))).status).toBe(200);
    expect(stored).toHaveLength(1);
  });

  it('keeps what came before a broken chunk, marked', async () => {
    const { capture, stored, told } = await start();
    const request = 'POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\nZZ\r\n';
    expect((await sendRaw(capture.port, request)).status).toBe(400);
    await told('captured');
    expect(stored[0]).toMatchObject({ marks: ['incomplete'] });
    expect(Buffer.from(stored[0]?.payload ?? []).toString()).toBe('abc');
  });
});

describe('stored before it is answered', () => {
  it('has not written a byte of the answer while the corpus still commits', async () => {
    const seen = new Int32Array(new SharedArrayBuffer(4));
    const during: number[] = [];
    const { capture } = await start({
      beforeStoring: () => {
        // The whole thread stands still, as in an fsync; the sender lives in another one.
        Atomics.wait(seen, 0, 0, 300);
        during.push(Atomics.load(seen, 0));
      },
    });
    const sender = new Worker(
      `const { workerData: { port, seen } } = require('node:worker_threads');
       const socket = require('node:net').connect(port, '127.0.0.1');
       socket.write('POST / HTTP/1.1\\r\\nHost: x\\r\\nContent-Length: 1\\r\\n\\r\\nx');
       socket.once('data', () => { Atomics.store(seen, 0, 1); Atomics.notify(seen, 0); socket.destroy(); });`,
      { eval: true, workerData: { port: capture.port, seen } },
    );
    await once(sender, 'exit');
    expect(during).toEqual([0]);
    expect(Atomics.load(seen, 0)).toBe(1);
  });

  it('answers 500, never 2xx, when the corpus cannot take it, and goes on', async () => {
    let full = true;
    const { capture, stored, told } = await start({
      beforeStoring: () => {
        if (full) throw new Error('disk full');
      },
    });
    expect((await sendRaw(capture.port, rawPost('/', [], 'x'))).status).toBe(500);
    expect(await told('rejected')).toMatchObject({
      reason: 'not-stored',
      status: 500,
      detail: expect.stringContaining('disk full'),
    });
    full = false;
    expect((await sendRaw(capture.port, rawPost('/', [], 'x'))).status).toBe(200);
    expect(stored).toHaveLength(1);
    expect(capture.traffic.counts()).toMatchObject({ captured: 1, rejected: 1, notStored: 1 });
  });

  it('commits what arrived in one turn together', async () => {
    const { capture, batches } = await start();
    const connections = await Promise.all(Array.from({ length: 40 }, () => openRaw(capture.port)));
    const round = async () => {
      for (const connection of connections) connection.write(rawPost('/', [], 'x'));
      await Promise.all(connections.map((connection) => connection.answer()));
    };
    // The first round waits for node to accept the connections, one in each turn.
    await round();
    const before = batches.length;
    await round();
    for (const connection of connections) connection.destroy();
    expect(batches.reduce((sum, size) => sum + size, 0)).toBe(80);
    expect(batches.length - before).toBeLessThanOrEqual(5);
  });
});

describe('answers', () => {
  it('gives the status, headers and body it was told to give', async () => {
    const { capture, answers } = await start({ policy: fixed(503, 'later') });
    const answer = await sendRaw(capture.port, rawPost('/', [], 'x'));
    expect(answer.status).toBe(503);
    expect(answer.headers).toContainEqual(['X-Answer', 'ours']);
    expect(answer.body.toString()).toBe('later');
    await capture.stop('interrupted');
    expect(answers.get('e1')).toMatchObject({ kind: 'answered', by: 'capture', status: 503 });
  });
});

describe('its life', () => {
  it('is ready only when its port accepts, and says the real one', async () => {
    const { capture, progress } = await start();
    expect(progress[0]).toEqual({ kind: 'ready', url: `http://127.0.0.1:${capture.port}` });
    expect((await sendRaw(capture.port, rawPost('/', [], 'x'))).status).toBe(200);
  });

  it('names the port that is in use', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const { port } = other.address() as { port: number };
    await expect(startHarness({ port })).rejects.toMatchObject({
      code: 'PORT_IN_USE',
      exitCode: 2,
      message: expect.stringContaining(String(port)),
    });
    other.close();
  });

  it('names an address that is not here', async () => {
    await expect(startHarness({ host: '192.0.2.1' })).rejects.toMatchObject({ code: 'HOST_NOT_HERE', exitCode: 2 });
  });

  it('ends after a number of complete deliveries', async () => {
    const { capture } = await start();
    const end = capture.until({ interrupted: new AbortController().signal, exitAfter: 2 });
    await sendRaw(capture.port, rawPost('/', [], 'x'));
    await sendRaw(capture.port, rawPost('/', [], 'x'));
    expect(await end).toBe('exit-after');
  });

  it('ends when it was idle, but not while a request is open', async () => {
    const { capture } = await start();
    const connection = await openRaw(capture.port);
    connection.write('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\n\r\n');
    await untilTrue(() => capture.traffic.open() === 1);
    let ended = false;
    const end = capture.until({ interrupted: new AbortController().signal, idleMs: 50 }).finally(() => {
      ended = true;
    });
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect(ended).toBe(false);
    connection.write('x');
    await connection.answer();
    expect(await end).toBe('idle');
    connection.destroy();
  });

  it('lets an open request finish when it is stopped, and takes no new connection', async () => {
    const { capture, stored, progress } = await start();
    const connection = await openRaw(capture.port);
    connection.write('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\na');
    await untilTrue(() => capture.traffic.open() === 1);
    const stopped = capture.stop('interrupted');
    await expect(openRaw(capture.port)).rejects.toMatchObject({ code: 'ECONNREFUSED' });
    connection.write('b');
    const answer = await connection.answer();
    expect(answer.status).toBe(200);
    expect(answer.headers).toContainEqual(['Connection', 'close']);
    await stopped;
    expect(stored).toHaveLength(1);
    expect(progress.at(-1)).toMatchObject({ kind: 'stopped', why: 'interrupted', counts: { captured: 1 } });
  });
});

async function untilTrue(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resolve) => setImmediate(resolve));
}
