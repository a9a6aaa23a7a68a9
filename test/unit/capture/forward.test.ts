import { afterEach, describe, expect, it } from 'vitest';
import { withoutHopByHop } from '../../../src/capture/hop-by-hop.ts';
import { HOP_HEADER, loopGuard } from '../../../src/capture/loop-guard.ts';
import { isOwnAddress } from '../../../src/capture/own-address.ts';
import type { Outcome, OutgoingRequest } from '../../../src/model/attempt.ts';
import { forwardBy, type Harness, type HarnessOptions, startHarness } from '../../support/capture-harness.ts';
import { openRaw, rawPost, sendRaw } from '../../support/raw-http.ts';

const running: Harness[] = [];

async function start(options: HarnessOptions): Promise<Harness> {
  const harness = await startHarness(options);
  running.push(harness);
  return harness;
}

afterEach(async () => {
  await Promise.all(running.splice(0).map(({ capture }) => capture.stop('interrupted')));
});

const response = (more: Partial<Extract<Outcome, { kind: 'response' }>> = {}): Outcome => ({
  kind: 'response',
  status: 200,
  headers: [],
  body: Buffer.from('ok'),
  ...more,
});

describe('forwarding', () => {
  it('passes the stored bytes on, once, after the commit', async () => {
    const log: string[] = [];
    const sent: OutgoingRequest[] = [];
    const policy = forwardBy((request) => {
      log.push('sent');
      sent.push(request);
      return response();
    });
    const { capture, stored } = await start({ policy, beforeStoring: () => log.push('stored') });
    await sendRaw(capture.port, rawPost('/a?b', ['X-A: 1'], 'body'));
    expect(log).toEqual(['stored', 'sent']);
    expect(sent).toHaveLength(1);
    expect(sent[0]).toMatchObject({ method: 'POST', target: '/a?b', headers: stored[0]?.headers });
    expect(sent[0]?.payload).toEqual(stored[0]?.payload);
  });

  it("returns the receiver's status, headers in their order and case, and body; a redirect too", async () => {
    const headers = [
      ['Location', 'http://elsewhere.test/'],
      ['Set-Cookie', 'a'],
      ['x-lower', '1'],
      ['SET-COOKIE', 'b'],
      ['Connection', 'close, X-Hop'],
      ['X-Hop', 'gone'],
      ['Content-Length', '999'],
    ] as const;
    const policy = forwardBy(() => response({ status: 307, headers, body: Buffer.from([0xff, 0x00]) }));
    const { capture, answers } = await start({ policy });
    const answer = await sendRaw(capture.port, rawPost('/', [], 'x'));
    expect(answer.status).toBe(307);
    expect(answer.headers.slice(0, 5)).toEqual([...headers.slice(0, 4), ['Content-Length', '2']]);
    expect(answer.headers.some(([name]) => name === 'X-Hop' || name === 'Date')).toBe(false);
    expect([...answer.body]).toEqual([0xff, 0x00]);
    await capture.stop('interrupted');
    expect(answers.get('e1')).toMatchObject({ kind: 'answered', by: 'receiver', status: 307 });
  });

  it('keeps the length that an answer to HEAD tells', async () => {
    const policy = forwardBy(() => response({ headers: [['Content-Length', '999']], body: Buffer.of() }));
    const { capture } = await start({ policy });
    const connection = await openRaw(capture.port);
    connection.write('HEAD / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
    let text = '';
    connection.socket.on('data', (chunk: Buffer) => {
      text += chunk.toString();
    });
    await connection.closed;
    expect(text).toContain('Content-Length: 999');
  });

  it.each([
    ['refuses', 'refused', 502],
    ['is too slow', 'timeout', 504],
    ['breaks off', 'reset', 502],
    ['speaks no HTTP', 'not-http', 502],
  ] as const)('notes a receiver that %s as not delivered', async (_name, reason, status) => {
    const policy = forwardBy(() => ({ kind: 'no-response', reason, detail: 'the details' }));
    const { capture, answers, told } = await start({ policy });
    const answer = await sendRaw(capture.port, rawPost('/', [], 'x'));
    expect(answer.status).toBe(status);
    expect(answer.headers).toContainEqual(['Content-Type', 'text/plain; charset=utf-8']);
    expect(answer.body.toString()).toBe(
      `webhook-replay stored this delivery as e1, but its receiver gave no answer (${reason}).\n`,
    );
    expect(await told('forwarded')).toMatchObject({ told: status, answer: { kind: 'not-delivered' } });
    await capture.stop('interrupted');
    expect(answers.get('e1')).toMatchObject({ kind: 'not-delivered', reason: `${reason}: the details` });
    expect(capture.traffic.counts()).toMatchObject({ captured: 1, forwarded: 0, notDelivered: 1 });
  });

  it.each([
    ['a status that is none', response({ status: 99 })],
    ['a header that cannot be written', response({ headers: [['X', 'a\r\nInjected: yes']] })],
  ])('answers 502 to %s', async (_name, outcome) => {
    const { capture, told } = await start({ policy: forwardBy(() => outcome) });
    expect((await sendRaw(capture.port, rawPost('/', [], 'x'))).status).toBe(502);
    expect((await told('forwarded')).answer.kind).toBe('not-delivered');
  });

  it('survives a sender that throws', async () => {
    const policy = forwardBy(() => {
      throw new Error('cannot be sent');
    });
    const { capture, told } = await start({ policy });
    expect((await sendRaw(capture.port, rawPost('/', [], 'x'))).status).toBe(502);
    expect((await told('forwarded')).answer).toMatchObject({ reason: 'not-sent: cannot be sent' });
  });

  it("does not note a receiver's answer as given when the sender had hung up", async () => {
    let answerNow = (_outcome: Outcome) => {};
    const outcome = new Promise<Outcome>((resolve) => {
      answerNow = resolve;
    });
    let sending = () => {};
    const sent = new Promise<void>((resolve) => {
      sending = resolve;
    });
    const policy = forwardBy(() => {
      sending();
      return outcome;
    });
    const { capture, told } = await start({ policy });
    const connection = await openRaw(capture.port);
    connection.write(rawPost('/', [], 'x'));
    await sent;
    connection.destroy();
    await connection.closed;
    await new Promise((resolve) => setTimeout(resolve, 50));
    answerNow(response());
    expect((await told('forwarded')).answer).toMatchObject({
      kind: 'not-delivered',
      reason: "the sender hung up before the receiver's 200 came",
    });
  });

  it('does not pass on what came incomplete or over the limit', async () => {
    let sends = 0;
    const policy = forwardBy(() => {
      sends += 1;
      return response();
    });
    const { capture, told } = await start({ policy, limitBytes: 2 });
    expect((await sendRaw(capture.port, rawPost('/', [], 'abc'))).status).toBe(413);
    const connection = await openRaw(capture.port);
    connection.write('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\na');
    connection.socket.end();
    await told('captured', 2);
    expect(sends).toBe(0);
  });

  it('gives up open forwards when it is stopped, after a while', { timeout: 15_000 }, async () => {
    const policy = forwardBy(
      (_request, { signal }) =>
        new Promise((resolve) => {
          signal?.addEventListener('abort', () =>
            resolve({ kind: 'no-response', reason: 'aborted', detail: 'stopped' }),
          );
        }),
    );
    const { capture, answers } = await start({ policy });
    const connection = await openRaw(capture.port);
    connection.write(rawPost('/', [], 'x'));
    while (capture.traffic.counts().captured === 0) await new Promise((resolve) => setImmediate(resolve));
    await capture.stop('interrupted');
    expect(answers.get('e1')).toMatchObject({ kind: 'not-delivered' });
  });
});

describe('a loop through another hop', () => {
  it('is stopped: what comes back marked is refused and not stored again', async () => {
    const headersSent: string[] = [];
    let port = 0;
    // A receiver that passes everything back to the capture, with the headers it got.
    const policy = forwardBy(async ({ headers, payload }) => {
      headersSent.push(headers.map(([name]) => name).join());
      const own = headers.filter(([name]) => !/^(host|content-length)$/i.test(name));
      const lines = own.map(([name, value]) => `${name}: ${value}`);
      const { status, body } = await sendRaw(port, rawPost('/', lines, Buffer.from(payload)));
      return response({ status, body });
    });
    const { capture, told } = await start({ policy });
    port = capture.port;
    expect((await sendRaw(port, rawPost('/', ['X-A: 1'], 'x'))).status).toBe(508);
    expect(await told('rejected')).toMatchObject({ reason: 'loop', status: 508 });
    expect(capture.traffic.counts().captured).toBeLessThan(20);
    expect(headersSent[0]).not.toContain(HOP_HEADER);
  });

  it('is no loop when two captures stand in a row', () => {
    const first = loopGuard('first');
    const second = loopGuard('second');
    const payload = Buffer.from('x');
    let marks = first.marksFor(payload);
    for (let i = 0; i < 20; i++) marks = first.marksFor(payload);
    expect(first.isEcho(marks)).toBe(true);
    expect(second.isEcho(marks)).toBe(false);
  });

  it('adds nothing to deliveries of different bodies', () => {
    const guard = loopGuard('me');
    const marks = Array.from({ length: 5000 }, (_, index) => guard.marksFor(Buffer.from(`${index}`)));
    expect(marks.flat()).toEqual([]);
  });
});

describe('isOwnAddress', () => {
  const here = { host: '127.0.0.1', port: 4400 };
  it.each([
    'http://localhost:4400',
    'http://LOCALHOST.:4400/x',
    'http://app.localhost:4400',
    'http://127.0.0.1:4400',
    'http://127.1:4400',
    'http://2130706433:4400',
    'http://127.8.9.10:4400',
    'http://0.0.0.0:4400',
    'http://[::1]:4400',
    'http://[::]:4400',
    'http://[::ffff:127.0.0.1]:4400',
    'https://localhost:4400',
  ])('knows %s as itself', (url) => {
    expect(isOwnAddress(new URL(url), here)).toBe(true);
  });

  it.each(['http://localhost:4401', 'http://localhost', 'http://receiver.test:4400', 'http://192.0.2.7:4400'])(
    'lets %s pass',
    (url) => {
      expect(isOwnAddress(new URL(url), here)).toBe(false);
    },
  );

  it('knows default ports', () => {
    expect(isOwnAddress(new URL('http://localhost'), { host: '::', port: 80 })).toBe(true);
    expect(isOwnAddress(new URL('https://localhost'), { host: '::', port: 443 })).toBe(true);
  });
});

describe('withoutHopByHop', () => {
  it('drops what belongs to one connection, and what Connection names, in any case', () => {
    const kept = withoutHopByHop([
      ['A', '1'],
      ['connection', 'Keep-Alive, x-hop'],
      ['X-HOP', '1'],
      ['Keep-Alive', 'timeout=5'],
      ['Transfer-Encoding', 'chunked'],
      ['a', '2'],
    ]);
    expect(kept).toEqual([
      ['A', '1'],
      ['a', '2'],
    ]);
  });
});
