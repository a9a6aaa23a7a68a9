import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, request, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import type { Probe } from '../../../src/model/effect.ts';
import { openProbe } from '../../../src/observe/sources.ts';
import { systemClock } from '../../../src/support/clock.ts';

let closing: Array<() => unknown> = [];

afterEach(async () => {
  for (const close of closing.reverse()) await close();
  closing = [];
});

async function open(source: string): Promise<Probe & { readonly url: string }> {
  const probe = await openProbe(source, { cwd: '.', env: {}, clock: systemClock });
  closing.push(probe.close);
  return { ...probe, url: probe.url ?? '' };
}

async function rowsOf(probe: Probe) {
  const { collections } = await probe.read();
  expect(collections.map(({ name }) => name)).toEqual(['calls']);
  return collections[0]?.rows ?? [];
}

type Call = {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
};

function call(url: string, { method = 'POST', headers = {}, body = '' }: Call = {}) {
  return new Promise<{ status: number | undefined; headers: unknown; body: string }>((resolve, reject) => {
    request(url, { method, headers, agent: false }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () =>
        resolve({ status: response.statusCode, headers: response.headers, body: Buffer.concat(chunks).toString() }),
      );
    })
      .on('error', reject)
      .end(body);
  });
}

/** Writes raw bytes and gives back all that is answered. */
function raw(url: string, bytes: string, end = true): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(Number(new URL(url).port), '127.0.0.1');
    let answer = '';
    socket.on('data', (chunk) => {
      answer += chunk.toString();
    });
    socket.on('error', () => {});
    socket.on('close', () => resolve(answer));
    socket.write(bytes, () => {
      if (!end) socket.destroy();
    });
  });
}

describe('a spy', () => {
  it('records what is worth comparing of a call, and no credential', async () => {
    const spy = await open('spy:0');
    await call(`${spy.url}/v1/charges?expand=a&expand=b&api_key=hunter2`, {
      headers: {
        Authorization: 'Bearer hunter2',
        'Content-Type': 'application/json',
        'Idempotency-Key': 'k1',
        'X-Other': 'x',
        'X-Api-Key': 'hunter2',
        'X-Request-Id': 'another one each time',
      },
      body: '{"amount": 1999}',
    });
    expect(await rowsOf(spy)).toEqual([
      {
        key: '1',
        cells: {
          method: 'POST',
          path: '/v1/charges',
          query: 'expand=a&expand=b&api_key=***',
          'content-type': 'application/json',
          authorization: 'present',
          headers: '{"x-api-key":"present","x-other":"x"}',
          'idempotency-key': 'k1',
          body: '{"amount": 1999}',
          status: 200,
        },
      },
    ]);
  });

  it('counts calls one by one, in the order they came', async () => {
    const spy = await open('spy:0');
    const version = await spy.version?.();
    await call(`${spy.url}/a`);
    await call(`${spy.url}/b`, { method: 'GET' });
    expect((await rowsOf(spy)).map(({ key, cells }) => [key, cells['method'], cells['path'], cells['query']])).toEqual([
      ['1', 'POST', '/a', null],
      ['2', 'GET', '/b', null],
    ]);
    expect(await spy.version?.()).not.toBe(version);
  });

  it('answers 200 and an empty object unless told otherwise', async () => {
    const spy = await open('spy:0');
    expect(await call(spy.url)).toMatchObject({
      status: 200,
      headers: { 'content-type': 'application/json' },
      body: '{}',
    });
  });

  it('answers as it is told, commas in the body included', async () => {
    const spy = await open('spy:0,status=201,body={"id":1,"ok":true},delay=30ms');
    const startMs = performance.now();
    expect(await call(spy.url)).toMatchObject({ status: 201, body: '{"id":1,"ok":true}' });
    expect(performance.now() - startMs).toBeGreaterThanOrEqual(30);
    expect(await rowsOf(spy)).toMatchObject([{ cells: { status: 201 } }]);
  });

  it('answers text as text, and a status without a body without one', async () => {
    expect(await call((await open('spy:0,body=ok, fine')).url)).toMatchObject({
      headers: { 'content-type': 'text/plain; charset=utf-8' },
      body: 'ok, fine',
    });
    expect(await call((await open('spy:0,status=204')).url)).toMatchObject({ status: 204, body: '' });
  });

  it('shows a body that is no text, or is long, by its digest', async () => {
    const spy = await open('spy:0');
    await call(spy.url, { body: Buffer.from([0xff, 0x00]) });
    await call(spy.url, { body: 'x'.repeat(64 * 1024 + 1) });
    expect((await rowsOf(spy)).map(({ cells }) => cells['body'])).toEqual([
      'sha256:ea5dbf9596d187e9500f23e9a680109475341cf4e81f7e043f7d97152c10772f (2 bytes)',
      expect.stringMatching(/^sha256:[0-9a-f]{64} \(65537 bytes\)$/),
    ]);
  });

  it.each([
    '\x16\x03\x01\x02\x00',
    'HELLO\r\n\r\n',
    'GET / HTTP/1.1\r\nbad header\r\n\r\n',
    'POST / HTTP/1.1\r\nContent-Length: x\r\n\r\n',
  ])('survives %j, which is no HTTP', async (bytes) => {
    const spy = await open('spy:0');
    expect(await raw(spy.url, bytes)).toMatch(/^HTTP\/1\.1 400 /);
    expect(await call(spy.url)).toMatchObject({ status: 200 });
    expect(await rowsOf(spy)).toHaveLength(1);
  });

  it('records a call that its caller broke off, marked so', async () => {
    const spy = await open('spy:0');
    await raw(spy.url, 'POST /a HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\nhalf', false);
    await expect.poll(() => rowsOf(spy)).toMatchObject([{ cells: { path: '/a', body: 'half', complete: false } }]);
    expect(await call(spy.url)).toMatchObject({ status: 200 });
  });

  it('keeps a connection open for as long as the receiver likes', async () => {
    const spy = await open('spy:0');
    const answer = await raw(
      spy.url,
      'GET / HTTP/1.1\r\nHost: x\r\n\r\nGET /b HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
    );
    expect(answer.match(/HTTP\/1\.1 200 OK/g)).toHaveLength(2);
    expect(answer).not.toMatch(/keep-alive: timeout/i);
  });

  it('closes although a connection is open and an answer is being delayed', async () => {
    const spy = await open('spy:0,delay=1h');
    const ended = call(spy.url).catch((error: NodeJS.ErrnoException) => error.code);
    await expect.poll(() => rowsOf(spy)).toHaveLength(1);
    await spy.close();
    await ended;
    await expect(call(spy.url)).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  });
});

describe('a spy that forwards', () => {
  async function upstream(): Promise<{ readonly url: string; readonly seen: string[] }> {
    const seen: string[] = [];
    const server: Server = createServer(async (incoming, response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of incoming) chunks.push(chunk as Buffer);
      seen.push(
        `${incoming.method} ${incoming.url} ${incoming.headers.host} ${incoming.rawHeaders.join('|')} ${Buffer.concat(chunks)}`,
      );
      response.writeHead(402, { 'X-Up': 'yes', 'Set-Cookie': ['a=1', 'b=2'] });
      response.end('{"declined":true}');
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    closing.push(() => server.close());
    return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, seen };
  }

  it('passes call and answer on as they are, and records the answer', async () => {
    const { url, seen } = await upstream();
    const spy = await open(`spy:0,forward=${url}/base/`);
    const answer = await call(`${spy.url}/v1?a=1`, {
      headers: { 'X-CaSe': 'Kept', Authorization: 'Bearer s' },
      body: 'amount=1',
    });
    expect(answer).toMatchObject({
      status: 402,
      headers: { 'x-up': 'yes', 'set-cookie': ['a=1', 'b=2'] },
      body: '{"declined":true}',
    });
    expect(seen).toHaveLength(1);
    expect(seen[0]).toContain(`POST /base/v1?a=1 ${new URL(url).host} `);
    expect(seen[0]).toContain('X-CaSe|Kept|Authorization|Bearer s');
    expect(seen[0]).toMatch(/ amount=1$/);
    expect(await rowsOf(spy)).toMatchObject([{ cells: { body: 'amount=1', status: 402 } }]);
  });

  it('answers 502 when nobody is there, and the call counts all the same', async () => {
    const gone = await open('spy:0');
    await gone.close();
    const spy = await open(`spy:0,forward=${gone.url}`);
    expect(await call(spy.url)).toMatchObject({ status: 502, body: expect.stringContaining('ECONNREFUSED') });
    expect(await rowsOf(spy)).toMatchObject([{ cells: { status: 502 } }]);
  });
});

describe('a spy with routes', () => {
  async function withRoutes(routes: unknown, options = '') {
    const folder = mkdtempSync(join(tmpdir(), 'spy-'));
    closing.push(() => rmSync(folder, { recursive: true, force: true }));
    writeFileSync(join(folder, 'routes.json'), typeof routes === 'string' ? routes : JSON.stringify(routes));
    const context = { cwd: folder, env: {}, clock: systemClock };
    const probe = await openProbe(`spy:0${options},routes=routes.json`, context);
    closing.push(probe.close);
    return { ...probe, url: probe.url ?? '' };
  }

  it('answers by the first that takes the call, else by its own options', async () => {
    const spy = await withRoutes(
      [
        { method: 'post', path: '/v1/charges', status: 201, body: { id: 'ch_1' }, headers: { 'x-kind': 'charge' } },
        { path: '/v1/*', status: 404, body: 'no such thing' },
      ],
      ',status=202',
    );
    expect(await call(`${spy.url}/v1/charges?a=1`)).toMatchObject({
      status: 201,
      headers: { 'content-type': 'application/json', 'x-kind': 'charge' },
      body: '{"id":"ch_1"}',
    });
    expect(await call(`${spy.url}/v1/charges`, { method: 'GET' })).toMatchObject({
      status: 404,
      body: 'no such thing',
    });
    expect(await call(`${spy.url}/other`)).toMatchObject({ status: 202 });
    expect((await rowsOf(spy)).map(({ cells }) => cells['status'])).toEqual([201, 404, 202]);
  });

  it('fails each different call once', async () => {
    const spy = await withRoutes([{ path: '/mails', failOnce: 503 }]);
    const status = async (path: string, given: Call) => (await call(spy.url + path, given)).status;
    expect(await status('/mails', { body: '1' })).toBe(503);
    expect(await status('/mails', { body: '1' })).toBe(200);
    expect(await status('/mails', { body: '2' })).toBe(503);
    expect(await status('/mails', { body: '3', headers: { 'idempotency-key': 'k' } })).toBe(503);
    expect(await status('/mails', { body: '4', headers: { 'idempotency-key': 'k' } })).toBe(200);
    expect(await status('/other', { body: '1' })).toBe(200);
  });

  it.each([
    ['{', '"routes.json" is no JSON: '],
    ['{}', '"routes.json" is no JSON array of routes'],
    [[1], 'Route 1 of "routes.json" is no object'],
    [[{ path: '/a' }, { path: 'b' }], 'Route 2 of "routes.json" has no "path" that starts with a slash'],
    [[{ path: '/a', stats: 200 }], 'has a "stats", which is unknown; did you mean "status"?'],
    [[{ path: '/a', status: '200' }], 'has a "status" that is no number'],
    [[{ path: '/a', headers: { a: 1 } }], 'has a "headers" that is no object of texts'],
    [[{ path: '/a', status: 99 }], 'has the status "99", which is not one from 200 to 599'],
    [[{ path: '/a', failOnce: 200 }], 'fails once with "200", which is not a status from 300 to 599'],
    [[{ path: '/a', delay: '5' }], '"5" is not a duration'],
    [[{ path: '/a', forward: 'http://a.test', body: '' }], 'cannot both forward and answer by itself'],
  ])('refuses %j', async (routes, message) => {
    await expect(withRoutes(routes)).rejects.toMatchObject({ exitCode: 2, message: expect.stringContaining(message) });
  });

  it('says which file of routes there is not', async () => {
    await expect(open('spy:0,routes=missing.json')).rejects.toMatchObject({
      exitCode: 2,
      message: '"missing.json" cannot be read: there is no such file or folder (--effect spy:...,routes=FILE).',
    });
  });
});

describe('a spy that a trial uses', () => {
  it('is not quiet from the head of a call until its answer is gone', async () => {
    const spy = await open('spy:0,delay=1h');
    const socket = connect(Number(new URL(spy.url).port), '127.0.0.1').on('error', () => {});
    socket.write('POST /a HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\na');
    await expect.poll(() => spy.isBusy?.()).toBe(true);
    expect(await rowsOf(spy)).toEqual([]);
    socket.write('b');
    await expect.poll(() => rowsOf(spy)).toHaveLength(1);
    expect(spy.isBusy?.()).toBe(true);
    socket.destroy();
    await expect.poll(() => spy.isBusy?.()).toBe(false);
  });

  it.each([
    ['spy:localhost:0', /^http:\/\/localhost:\d+$/],
    ['spy:127.0.0.1:0', /^http:\/\/127\.0\.0\.1:\d+$/],
    ['spy:[::1]:0', /^http:\/\/\[::1\]:\d+$/],
  ])('listens where %s says', async (source, url) => {
    const spy = await open(source);
    expect(spy.url).toMatch(url);
    expect(await call(spy.url)).toMatchObject({ status: 200 });
  });
});
