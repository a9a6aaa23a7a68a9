import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo, Server } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import { freePort } from '../../src/receiver/free-port.ts';
import { readCorpus } from '../support/capture-cli.ts';
import { runCli, startCli, waitForOutput } from '../support/cli.ts';
import { rawServer } from '../support/raw-server.ts';
import { startReceiverProcess } from '../support/receiver.ts';
import { startRecordingReceiver } from '../support/recording-receiver.ts';
import { type Replayed, replay, summaryOf } from '../support/replay.ts';
import { tempFolder } from '../support/temp-folder.ts';

const EVENT = 'fixture:stripe/payment_intent.succeeded';
const QUICK = ['--settle', '150ms', '--settle-first', '300ms'];
const SIGNED = ['--secret', 'env:SECRET_OF_THE_SENDER'];
const env = { SECRET_OF_THE_SENDER: 'whsec_not_what_the_receiver_has' };

const folder = tempFolder();

async function listen(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

/** A receiver in this process; `close` ends it at once, with all that is open. */
async function serve(handler: RequestListener) {
  const server = createServer(handler);
  const close = () => {
    server.close();
    server.closeAllConnections();
  };
  onTestFinished(close);
  const port = await listen(server);
  return { url: `http://127.0.0.1:${port}`, close };
}

/** A receiver that counts what it takes, and a page that tells the count. */
async function countingReceiver(onDelivery: (count: number) => 'answer' | 'break-off' = () => 'answer') {
  let count = 0;
  const page = await serve((_request, response) => void response.end(String(count)));
  const receiver = await serve((request, response) => {
    if (onDelivery(count + 1) === 'break-off') {
      request.socket.destroy();
      return;
    }
    count += 1;
    request.resume();
    response.end();
  });
  return { receiver, page };
}

const reasonOf = ({ report }: Replayed): string => report.trials[0]?.reason ?? '';

function expectInconclusive(replayed: Replayed, reason: RegExp): void {
  expect(replayed.code, summaryOf(replayed)).toBe(3);
  expect(replayed.report.verdict).toBe('inconclusive');
  expect(reasonOf(replayed)).toMatch(reason);
}

describe('nothing is claimed when', () => {
  it('nobody listens; the report says what was tried', async () => {
    const port = await freePort();
    const tried = new RegExp(`ECONNREFUSED \\(tried 127.0.0.1:${port}.*Is the receiver running\\?`);
    const words = [EVENT, '--to', `127.0.0.1:${port}`];
    const [answers, effects] = await Promise.all([
      replay(folder, words),
      replay(folder, [...words, '--effect', 'exec:echo 1', ...QUICK]),
    ]);
    expectInconclusive(answers, tried);
    expectInconclusive(effects, tried);
  });

  it('what listens does not speak HTTP', async () => {
    const server = await rawServer((socket) => void socket.write('SSH-2.0-OpenSSH_9.6\r\n'));
    onTestFinished(server.close);
    const replayed = await replay(folder, [EVENT, '--to', `127.0.0.1:${server.port}`]);
    expectInconclusive(replayed, /does not speak HTTP\/1\.1.*SSH-2\.0/);
  });

  it('the receiver refuses every signature; its answer and the secret by name are shown, never the value', async () => {
    const receiver = await startReceiverProcess(folder, [
      'transaction',
      '--provider',
      'stripe',
      '--secret',
      'whsec_other',
    ]);
    const words = [EVENT, ...SIGNED, '--to', receiver.url, '--effect', `sqlite:${receiver.db}`, ...QUICK];
    const [replayed, { stdout, stderr }] = await Promise.all([
      replay(folder, words, env),
      runCli(['replay', ...words, '--verbose'], { cwd: folder, env }),
    ]);
    const fingerprint = createHash('sha256').update(env.SECRET_OF_THE_SENDER).digest('hex').slice(0, 8);
    expectInconclusive(replayed, /answered 401 with "\{"error":"signature does not match"\}"/);
    expect(reasonOf(replayed)).toContain(`env:SECRET_OF_THE_SENDER (fingerprint ${fingerprint})`);
    expect(JSON.stringify(replayed)).not.toContain(env.SECRET_OF_THE_SENDER);
    expect(stdout + stderr).not.toContain(env.SECRET_OF_THE_SENDER);
  });

  it('the event has no effect', async () => {
    const receiver = await startReceiverProcess(folder, ['transaction']);
    const words = ['fixture:stripe/unknown-type', '--to', receiver.url, '--effect', `sqlite:${receiver.db}`, ...QUICK];
    expectInconclusive(await replay(folder, words), /a probe that sees nothing proves nothing.*--settle-first/);
  });

  it('a source does not exist; nothing is sent then', async () => {
    const receiver = await startRecordingReceiver();
    onTestFinished(receiver.close);
    const words = ['replay', EVENT, '--to', receiver.url, '--effect', 'sqlite:not/there.db'];
    const { code, stderr, stdout } = await runCli(words, { cwd: folder });
    expect({ code, stdout }).toEqual({ code: 3, stdout: '' });
    expect(stderr).toContain('There is no file "not/there.db"');
    expect(receiver.requests).toEqual([]);
  });

  it('a source dies half-way', async () => {
    const { receiver, page } = await countingReceiver((number) => {
      if (number === 3) page.close();
      return 'answer';
    });
    const replayed = await replay(folder, [EVENT, '--to', receiver.url, '--effect', `count=${page.url}`, ...QUICK]);
    expectInconclusive(replayed, /"count" cannot be observed/);
    expect(replayed.report.counts.attempts).toBeGreaterThan(2);
  });

  it('a source never comes to rest; it is named', async () => {
    let ticks = 0;
    const ticking = await serve((_request, response) => void response.end(String(++ticks)));
    const words = [EVENT, '--to', ticking.url, '--effect', `ticks=${ticking.url}/now`, '--settle-max', '1s', ...QUICK];
    expectInconclusive(await replay(folder, words), /come to rest within 1 s \(--settle-max\): "ticks"/);
  });

  it.each([
    ['before the pattern began', 3],
    ['between an event and its duplicate', 4],
  ])('the receiver dies %s', async (_when, number) => {
    const { receiver, page } = await countingReceiver((count) => {
      if (count < number) return 'answer';
      receiver.close();
      return 'break-off';
    });
    const replayed = await replay(folder, [EVENT, '--to', receiver.url, '--effect', `count=${page.url}`, ...QUICK]);
    expectInconclusive(replayed, /ECONNREFUSED/);
  });

  it('the receiver takes the request and never answers', async () => {
    const receiver = await startRecordingReceiver(() => undefined);
    onTestFinished(receiver.close);
    const replayed = await replay(folder, [EVENT, '--to', receiver.url, '--timeout', '200ms']);
    expectInconclusive(replayed, /No complete answer within 200 ms\. No answer does not mean that nothing happened/);
    expect(receiver.requests).toHaveLength(2);
  });
});

describe('TLS', () => {
  const file = (name: string) => fileURLToPath(new URL(`../support/tls/${name}`, import.meta.url));

  it('needs a certificate that is trusted, an authority by --cacert, or --insecure', async () => {
    const options = { key: readFileSync(file('localhost-key.pem')), cert: readFileSync(file('localhost-cert.pem')) };
    const server = createTlsServer(options, (request, response) => {
      request.resume();
      response.end();
    });
    onTestFinished(() => {
      server.close();
      server.closeAllConnections();
    });
    const to = ['--to', `https://localhost:${await listen(server)}/hooks`];
    const [bare, insecure, trusted] = await Promise.all([
      replay(folder, [EVENT, ...to]),
      replay(folder, [EVENT, ...to, '--insecure']),
      replay(folder, [EVENT, ...to, '--cacert', file('localhost-cert.pem')]),
    ]);
    expectInconclusive(bare, /certificate is not trusted here: name its authority with --cacert FILE.*--insecure/);
    expect(insecure.code, summaryOf(insecure)).toBe(0);
    expect(trusted.code, summaryOf(trusted)).toBe(0);
  });
});

describe('an answer that leads elsewhere', () => {
  it('is a fault, is not followed, and the place is named', async () => {
    const elsewhere = await startRecordingReceiver();
    onTestFinished(elsewhere.close);
    const target = `${elsewhere.url}/hooks/`;
    const receiver = await serve((request, response) => {
      request.resume();
      response.writeHead(308, { location: target }).end();
    });
    const [replayed, observed] = await Promise.all([
      replay(folder, [EVENT, '--to', receiver.url]),
      replay(folder, [EVENT, '--to', receiver.url, '--effect', 'exec:echo 1', ...QUICK]),
    ]);
    expect(replayed.code, summaryOf(replayed)).toBe(1);
    expect(JSON.stringify(replayed.report.trials[0]?.findings)).toContain(`Give the final URL (${target}) with --to`);
    expectInconclusive(observed, new RegExp(`answered 308.*${target}`));
    expect(elsewhere.requests).toEqual([]);
  });
});

describe('usage that would lead nowhere ends with 2 before anything is sent', () => {
  it.each([
    ['another machine', ['--to', 'http://receiver.invalid/hooks'], '--allow-host receiver.invalid'],
    ['another machine by its address', ['--to', '203.0.113.7:8080'], '--allow-host 203.0.113.7'],
    ['captured ids without a reset', ['--to', '3000', '--keep-ids', '--effect', 'exec:echo 1'], '--reset COMMAND'],
    ['captured signatures, too', ['--to', '3000', '--keep-signatures', '--effect', 'exec:echo 1'], '--reset COMMAND'],
  ])('%s', async (_what, words, hint) => {
    const { code, stderr, stdout } = await runCli(['replay', EVENT, ...words], { cwd: folder });
    expect({ code, stdout }, stderr).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(hint);
  });

  it('--allow-host lets the named machine be tried, without credentials that were captured', async () => {
    const file = join(folder, 'with-credentials.http');
    writeFileSync(
      file,
      'POST / HTTP/1.1\r\nHost: a.test\r\nAuthorization: Bearer captured\r\nContent-Length: 2\r\n\r\n{}',
    );
    const words = [file, '--to', 'http://receiver.invalid/hooks', '--allow-host', 'receiver.invalid'];
    const replayed = await replay(folder, words);
    expectInconclusive(replayed, /"receiver\.invalid" could not be resolved/);
    expect(replayed.stderr).toContain('--allow-header Authorization sends it');
  });
});

describe('Ctrl-C', () => {
  /** Starts a replay that has a long way to go, and interrupts it while its first delivery is unanswered. */
  async function interrupted() {
    const waiting: Array<() => void> = [];
    const receiver = await startRecordingReceiver((_request, socket) => {
      waiting.push(() => void socket.write('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n'));
      return undefined;
    });
    onTestFinished(receiver.close);
    const place = tempFolder();
    const words = [
      'replay',
      EVENT,
      '--pattern',
      'duplicate:5+delay:1h',
      '--to',
      receiver.url,
      '--timeout',
      '0',
      '--json',
    ];
    const child = startCli(words, { cwd: place });
    const exit = new Promise<number | null>((resolve) => child.on('close', resolve));
    let stdout = '';
    child.stdout.on('data', (chunk: Buffer) => {
      stdout += chunk.toString();
    });
    await receiver.received(1);
    const said = waitForOutput(child.stderr, /Interrupted; .*\n/);
    child.kill('SIGINT');
    return { child, exit, place, receiver, said: (await said)[0], answer: () => waiting[0]?.(), report: () => stdout };
  }

  it('waits for what is in flight, says what that is, ends with 130 and keeps the run', async () => {
    const { exit, place, receiver, said, answer, report } = await interrupted();
    expect(said).toMatch(/waiting up to 10 s for the answer to 1 delivery in flight \(evt_\w+, copy 1\)/);
    answer();
    expect(await exit).toBe(130);
    expect(receiver.requests).toHaveLength(1);
    const { run, trials, counts } = JSON.parse(report()) as Replayed['report'];
    expect(run).toMatchObject({ interrupted: true, inFlight: [expect.stringMatching(/^evt_\w+, copy 1$/)] });
    expect(trials[0]).toMatchObject({ verdict: 'inconclusive', reason: expect.stringContaining('Interrupted') });
    expect(counts).toMatchObject({ attempts: 1, planned: 5 });
    readCorpus(place, (corpus) => {
      expect(corpus.run(run.id)).toMatchObject({ interrupted: true, verdict: 'inconclusive' });
      expect(corpus.attempts(run.id)).toMatchObject([{ outcome: { kind: 'response', status: 200 } }]);
    });
  });

  it('a second time ends it at once', async () => {
    const { child, exit } = await interrupted();
    const before = Date.now();
    child.kill('SIGINT');
    expect(await exit).toBe(130);
    expect(Date.now() - before).toBeLessThan(5000);
  });
});
