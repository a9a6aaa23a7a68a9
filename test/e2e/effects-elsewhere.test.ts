import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { appendFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Redis } from 'ioredis';
import { describe, expect, it, onTestFinished } from 'vitest';
import { freePort } from '../../src/receiver/free-port.ts';
import { runCli, waitForOutput } from '../support/cli.ts';
import { serviceUrl } from '../support/services.ts';
import { tempFolder } from '../support/temp-folder.ts';

const DESK = fileURLToPath(new URL('../fixtures/receivers/order-desk.js', import.meta.url));
const EVENT = 'fixture:generic/order.paid';
const folder = tempFolder();
const redis = await serviceUrl('redis');
let count = 0;

/** Starts the receiver in a process of its own, for the length of the test. */
async function startDesk(words: readonly string[]): Promise<{ readonly url: string; readonly db: string }> {
  const db = join(folder, `desk-${++count}.db`);
  const child = spawn(process.execPath, [DESK, '--db', db, ...words], { stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = new Promise((resolve) => child.on('close', resolve));
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await ended;
  });
  const [line] = await waitForOutput(child.stdout, /^\{.*\}\n/);
  return { url: (JSON.parse(line) as { url: string }).url, db };
}

function ownQueue(): string {
  const queue = `wr-${randomUUID().slice(0, 8)}`;
  onTestFinished(async () => {
    const client = new Redis(redis ?? '');
    const keys = await client.keys(`bull:${queue}:*`);
    if (keys.length > 0) await client.del(keys);
    await client.quit();
  });
  return queue;
}

/** Where the receiver acts, how it is told, and how that is observed. */
type Place = {
  readonly receiver: readonly string[];
  readonly effect: string;
};

async function placeOf(kind: string): Promise<Place> {
  const port = await freePort();
  if (kind === 'mails') return { receiver: ['--smtp', `smtp://127.0.0.1:${port}`], effect: `mails=smtp:${port}` };
  if (kind === 'crm') return { receiver: ['--crm', `http://127.0.0.1:${port}`], effect: `crm=spy:${port}` };
  const queue = ownQueue();
  return { receiver: ['--redis', redis ?? '', '--queue', queue], effect: `queue=${redis}#bull:${queue}:*` };
}

const KINDS = [
  [
    'mails',
    'mails: 1 mail too many',
    /added \d+: from=desk@shop\.test to=packing@shop\.test subject=Order \S+.*<- second effect/,
  ],
  ['jobs', 'queue.jobs: 1 job too many', /added \S+: queue=\S+ id=\d+ name=pack .*<- second effect/],
  [
    'crm',
    'crm.calls: 1 call too many',
    /added \d+: method=POST path=\/contacts query=NULL body=\{"reference":\S+ .*<- second effect/,
  ],
] as const;

describe.each(KINDS)(
  'a receiver that writes one row and answers "duplicate", but repeats its %s',
  (kind, title, row) => {
    it.skipIf(kind === 'jobs' && redis === undefined)('is found, and the second one is shown', async () => {
      const { receiver, effect } = await placeOf(kind);
      const { url, db } = await startDesk(['--fault', 'early', ...receiver]);
      const words = ['replay', EVENT, '--to', url, '--effect', `sqlite:${db}#orders`, '--effect', effect];
      const { stdout, code } = await runCli(words, { cwd: folder, env: { COLUMNS: '400' } });
      expect(stdout).toContain(title);
      expect(stdout).toMatch(row);
      expect(stdout).not.toContain('orders: 1 row too many');
      expect(stdout).not.toContain('crm-token');
      expect(code).toBe(1);
    });

    it.skipIf(kind === 'jobs' && redis === undefined)(
      'is not found at fault when it acts behind its guard',
      async () => {
        const { receiver, effect } = await placeOf(kind);
        const { url, db } = await startDesk(receiver);
        const words = ['replay', EVENT, '--to', url, '--effect', `sqlite:${db}#orders`, '--effect', effect];
        const { stdout, code } = await runCli(words, { cwd: folder });
        expect(code, stdout).toBe(0);
      },
    );
  },
);

describe('test --start', () => {
  it('tells the receiver where we listen, in the command and by a variable, before it starts', async () => {
    const port = await freePort();
    const start = `node ${DESK} --fault early --port ${port} --db desk-started.db --smtp {smtp.mails}`;
    const words = [
      '--to',
      `${port}/webhooks`,
      '--provider',
      'generic',
      '--only',
      'duplicate.sequential',
      '--start',
      start,
    ];
    const effects = ['--effect', 'crm=spy:0', '--effect', 'mails=smtp:0', '--effect', 'sqlite:desk-started.db#orders'];
    const { stdout, stderr, code } = await runCli(['test', EVENT, ...words, ...effects], {
      cwd: folder,
      env: { COLUMNS: '400' },
    });
    expect(stdout, stderr).toContain('mails: 1 mail too many');
    expect(stdout).toContain('crm.calls: 1 call too many');
    expect(stderr).not.toContain('which the receiver cannot know');
    expect(code).toBe(1);
  });

  it('refuses a place that no source opens, before anything is started', async () => {
    const words = ['--to', '9', '--start', 'touch started {spy.cmr}', '--effect', 'crm=spy:0'];
    expect(await runCli(['test', EVENT, ...words], { cwd: folder })).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(
        'error: --start names {spy.cmr}, and no --effect opens it.\n  hint: There is: {spy.crm}.',
      ),
    });
  });
});

describe('a receiver whose effects are lines, metrics', () => {
  it('that come twice is found', async () => {
    let orders = 0;
    const log = join(folder, 'desk.log');
    const server = createServer((request, response) => {
      if (request.url === '/metrics') {
        response.end(`# TYPE orders_total counter\norders_total{status="paid"} ${orders}\n`);
        return;
      }
      request.resume().on('end', () => {
        orders++;
        appendFileSync(log, `charged 4990\n`);
        response.end();
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void server.close());
    const { port } = server.address() as AddressInfo;
    const effects = [
      '--effect',
      `metrics+http://127.0.0.1:${port}/metrics#orders_total`,
      '--effect',
      'log:desk.log#/charged (?<cents>\\d+)/',
    ];
    const { stdout, code } = await runCli(['replay', EVENT, '--to', `${port}/webhooks`, ...effects], { cwd: folder });
    expect(stdout).toContain('desk.lines: 1 line too many');
    expect(stdout).toContain('cents=4990   <- second effect');
    expect(stdout).toMatch(/orders_total\.value changed by 2 instead of 1/);
    expect(code).toBe(1);
  });
});

describe('a port that was chosen by chance', () => {
  it('is told before anything is sent', async () => {
    const { url } = await startDesk([]);
    const { stderr } = await runCli(['replay', EVENT, '--to', url, '--effect', 'smtp:0', '--settle-first', '0'], {
      cwd: folder,
    });
    expect(stderr).toMatch(
      /"smtp:0" listens on smtp:\/\/127\.0\.0\.1:\d+, which the receiver cannot know; .* like smtp:9000\./,
    );
  });
});

describe('a source that is down', () => {
  it.each([
    'redis://ann:hunter2@127.0.0.1:1#a',
    'amqp://ann:hunter2@127.0.0.1:1#q',
    'nats://ann:hunter2@127.0.0.1:1#s',
  ])('%s is inconclusive, by its name and without its password', async (source) => {
    const { url } = await startDesk([]);
    const { stderr, code } = await runCli(['replay', EVENT, '--to', url, '--effect', source], { cwd: folder });
    expect(stderr).toContain(`${source.replace('ann:hunter2', '***')}" cannot be reached`);
    expect(stderr).not.toContain('hunter2');
    expect(code).toBe(3);
  });
});
