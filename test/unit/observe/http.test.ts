import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { diffSnapshots } from '../../../src/observe/diff.ts';
import { openProbe } from '../../../src/observe/sources.ts';
import { systemClock, virtualClock } from '../../../src/support/clock.ts';

let server: Server | undefined;

afterEach(() => {
  server?.closeAllConnections();
  server?.close();
});

async function serve(listener: RequestListener): Promise<string> {
  const started = createServer(listener);
  server = started;
  await new Promise<void>((resolve) => started.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(started.address() as AddressInfo).port}`;
}

const open = (source: string, clock = systemClock) => openProbe(source, { cwd: '.', env: {}, clock });

describe('an HTTP source', () => {
  it('sees a counter grow', async () => {
    let paid = 1;
    const url = await serve((_request, response) => response.end(`{"orders":{"paid":${paid++}}}`));
    const probe = await open(`${url}/stats#/orders/paid`);
    const before = await probe.read();
    expect(diffSnapshots(before, await probe.read(), probe.name)).toEqual([
      {
        effect: 'paid',
        collection: 'value',
        kind: 'changed',
        key: '/orders/paid',
        before: { value: 2 },
        after: { value: 3 },
      },
    ]);
  });

  it('asks for the path and query as written, and never sends the pointer', async () => {
    const asked: string[] = [];
    const url = await serve((request, response) => {
      asked.push(`${request.method} ${request.url}`);
      response.end('[]');
    });
    await open(`${url}/a%2Fb?x=1&x=2#/c`);
    expect(asked).toEqual(['GET /a%2Fb?x=1&x=2']);
  });

  it('reads big numbers exactly, and decodes a pointer', async () => {
    const url = await serve((_request, response) => response.end('{"a b/c":{"id":9007199254740993}}'));
    const { collections } = await (await open(`${url}#/a%20b~1c/id`)).read();
    expect(collections).toEqual([
      { name: 'value', rows: [{ key: '/a b~1c/id', cells: { value: 9007199254740993n } }] },
    ]);
  });

  it('takes what the pointer names as an effect when it appears later', async () => {
    let body = '{}';
    const url = await serve((_request, response) => response.end(body));
    const probe = await open(`${url}#/orders`);
    const before = await probe.read();
    body = '{"orders":[{"id":1}]}';
    expect(diffSnapshots(before, await probe.read(), 'x')).toMatchObject([{ kind: 'added', key: '/orders/1' }]);
  });

  it('sends user and password of the URL and never shows them', async () => {
    const url = await serve((request, response) => {
      const right = request.headers.authorization === `Basic ${Buffer.from('ann:hun/ter2').toString('base64')}`;
      response.writeHead(right ? 200 : 401).end('{"ok":true}');
    });
    const probe = await open(url.replace('://', '://ann:hun%2Fter2@'));
    expect(probe.source).toBe(url.replace('://', '://***@'));
    await expect(open(url.replace('://', '://ann:wrong1@'))).rejects.toMatchObject({
      message: `"${url.replace('://', '://***@')}" answered 401: "{"ok":true}".`,
    });
  });

  it.each([404, 500])('says what an answer of %d said', async (status) => {
    const url = await serve((_request, response) => response.writeHead(status).end('no such thing'));
    await expect(open(`${url}/x`)).rejects.toMatchObject({
      exitCode: 3,
      message: `"${url}/x" answered ${status}: "no such thing".`,
    });
  });

  it('follows no redirect and names where it led', async () => {
    const url = await serve((_request, response) => response.writeHead(302, { location: '/login' }).end());
    await expect(open(url)).rejects.toMatchObject({
      message: `"${url}" answered 302.`,
      hint: expect.stringContaining('/login'),
    });
  });

  it.each([
    ['<html>Sign in</html>', '"<html>Sign in</html>"'],
    ['', 'an empty body'],
  ])('refuses the body %j, which is no JSON', async (body, shown) => {
    const url = await serve((_request, response) => response.end(body));
    await expect(open(url)).rejects.toMatchObject({
      exitCode: 3,
      message: `"${url}" did not answer JSON but ${shown}.`,
    });
  });

  it('says that the connection was refused', async () => {
    const url = await serve(() => {});
    await new Promise((resolve) => server?.close(resolve));
    await expect(open(url)).rejects.toMatchObject({ exitCode: 3, message: expect.stringContaining('ECONNREFUSED') });
    await expect(open(url.replace('127.0.0.1', 'localhost'))).rejects.toMatchObject({
      message: expect.stringContaining('ECONNREFUSED'),
    });
  });

  it('waits at most ten seconds for an answer', async () => {
    const url = await serve(() => {});
    await expect(open(url, virtualClock())).rejects.toMatchObject({
      message: `"${url}" cannot be read: no answer within 10 s.`,
    });
  });
});
