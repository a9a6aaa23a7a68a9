import { type ChildProcess, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import { freePort } from '../../src/receiver/free-port.ts';
import { runCli, startCli, waitForOutput } from '../support/cli.ts';
import { tempFolder } from '../support/temp-folder.ts';

const BIN = fileURLToPath(new URL('../../bin/webhook-replay.js', import.meta.url));
const COUNTER = fileURLToPath(new URL('../fixtures/receivers/memory-shop.js', import.meta.url));
const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const isPosix = process.platform !== 'win32';

type Report = {
  readonly verdict: string;
  readonly trials: ReadonlyArray<{
    readonly id: string;
    readonly verdict: string;
    readonly reason?: string;
    readonly tried?: string;
    readonly needs: readonly string[];
    readonly findings: ReadonlyArray<{
      readonly check: string;
      readonly title: string;
      readonly evidence: readonly string[];
    }>;
  }>;
};

type Played = { readonly code: number | null; readonly report: Report; readonly text: string };

async function play(folder: string, words: readonly string[]): Promise<Played> {
  const { stdout, stderr, code } = await runCli(['test', ...words, '--json', '--settle', '250ms'], { cwd: folder });
  return { code, report: JSON.parse(stdout) as Report, text: `exit ${code}\n${stderr}\n${stdout}` };
}

/** A reference receiver as `--start` runs it, with what observes it. */
function started(port: number, design: string): readonly string[] {
  const command = `"${process.execPath}" "${BIN}" receiver ${design} --port ${port} --db sqlite:shop.db --provider generic-hmac --secret ${SECRET}`;
  return [
    ...['--start', command, '--to', `127.0.0.1:${port}/webhooks`],
    ...['--provider', 'generic-hmac', '--secret', SECRET, '--effect', 'sqlite:shop.db'],
  ];
}

/** A receiver of the tests that keeps ids in memory and rows in SQLite. */
function memoryShop(port: number, more = ''): readonly string[] {
  return [
    ...['--start', `"${process.execPath}" "${COUNTER}" --db shop.db --port {port} ${more}`],
    ...['--to', `127.0.0.1:${port}/webhooks`, '--provider', 'generic', '--effect', 'sqlite:shop.db'],
  ];
}

function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host: '127.0.0.1', port });
    const done = (answer: boolean) => {
      socket.destroy();
      resolve(answer);
    };
    socket.on('connect', () => done(true)).on('error', () => done(false));
  });
}

/** Processes whose command line holds this text. */
function processesWith(text: string): readonly string[] {
  const { stdout } = spawnSync('ps', ['-eo', 'pid,args'], { encoding: 'utf8' });
  return stdout.split('\n').filter((line) => line.includes(text) && !line.includes('ps -eo'));
}

async function untilGone(port: number, folder: string): Promise<void> {
  await expect.poll(() => accepts(port), { timeout: 10_000 }).toBe(false);
  if (isPosix) await expect.poll(() => processesWith(`--port ${port}`), { timeout: 10_000 }).toEqual([]);
  expect(folder).not.toBe('');
}

describe('the trials that kill the receiver', () => {
  const trials = [
    '--only',
    'duplicate.after-restart',
    '--only',
    'retry.acked-then-killed',
    '--only',
    'retry.after-crash',
  ];

  it('pass a receiver that commits event id and effect together', { timeout: 120_000 }, async () => {
    const [folder, port] = [tempFolder(), await freePort()];
    const played = await play(folder, [...started(port, 'transaction'), ...trials]);
    expect(played.code, played.text).toBe(0);
    expect(played.report.trials.map(({ verdict }) => verdict)).toEqual(['pass', 'pass', 'pass']);
    expect(played.report.trials.find(({ id }) => id === 'retry.after-crash')?.tried).toMatch(
      /^12 kills spread over .* --intercept/,
    );
    await untilGone(port, folder);
  });

  it('find a guard that lives in memory', { timeout: 120_000 }, async () => {
    const [folder, port] = [tempFolder(), await freePort()];
    const played = await play(folder, [
      ...memoryShop(port),
      '--only',
      'duplicate.sequential',
      '--only',
      'duplicate.after-restart',
    ]);
    expect(
      played.report.trials.map(({ id, verdict }) => `${id} ${verdict}`),
      played.text,
    ).toEqual(['duplicate.sequential pass', 'duplicate.after-restart fail']);
    expect(played.report.trials[1]?.findings[0]?.check).toBe('no-second-effect');
    await untilGone(port, folder);
  });

  it('find an event that is acknowledged before it is stored', { timeout: 120_000 }, async () => {
    const [folder, port] = [tempFolder(), await freePort()];
    const played = await play(folder, [
      ...memoryShop(port, '--work-after-answer 300'),
      '--only',
      'retry.acked-then-killed',
    ]);
    expect(
      played.report.trials[0]?.findings.map(({ check }) => check),
      played.text,
    ).toEqual(['no-lost-effect']);
    expect(played.report.trials[0]?.findings[0]?.title).toMatch(/killed at the first byte of its answer$/);
  });

  it('find by a kill in the middle that an event was remembered before it was done', { timeout: 120_000 }, async () => {
    const [folder, port] = [tempFolder(), await freePort()];
    const played = await play(folder, [...memoryShop(port, '--ledger --gap 40'), '--only', 'retry.after-crash']);
    expect(
      played.report.trials[0]?.findings.map(({ check }) => check),
      played.text,
    ).toContain('no-lost-effect');
  });

  it('are skipped without --start, and say so', { timeout: 60_000 }, async () => {
    const folder = tempFolder();
    const { stdout } = await runCli(['test', '--to', '9', '--provider', 'generic', '--list', '--json'], {
      cwd: folder,
    });
    const listed = (JSON.parse(stdout) as Report).trials.filter(({ id }) =>
      /after-restart|after-crash|acked-then/.test(id),
    );
    expect(listed.map(({ needs }) => needs)).toEqual([['--start'], ['--start'], ['--start']]);
  });
});

describe('a receiver that dies by itself', () => {
  it('is a finding with the last lines of its log, and is started again for the next trial', {
    timeout: 120_000,
  }, async () => {
    const [folder, port] = [tempFolder(), await freePort()];
    const only = ['--only', 'duplicate.sequential', '--only', 'duplicate.redelivered'];
    const played = await play(folder, [...memoryShop(port, '--die-at 5'), ...only]);
    const [first, second] = played.report.trials;
    expect(
      first?.findings.map(({ check }) => check),
      played.text,
    ).toEqual(['stays-alive']);
    expect(first?.findings[0]?.title).toContain('ended with exit code 7');
    expect(first?.findings[0]?.evidence.join('\n')).toContain('something nobody catches');
    expect(second?.verdict).toBe('pass');
    const log = readFileSync(join(folder, '.webhook-replay', 'receiver.log'), 'utf8');
    expect(log.match(/webhook-replay: started/g)).toHaveLength(2);
  });
});

describe('--instances', () => {
  it('finds a guard that each process has for itself', { timeout: 120_000 }, async () => {
    const [folder, port] = [tempFolder(), await freePort()];
    const one = await play(folder, [...memoryShop(port), '--only', 'duplicate.sequential']);
    expect(one.report.verdict, one.text).toBe('pass');
    const two = await play(folder, [...memoryShop(port), '--only', 'duplicate.sequential', '--instances', '2']);
    expect(
      two.report.trials[0]?.findings.map(({ check }) => check),
      two.text,
    ).toEqual(['no-second-effect']);
    await untilGone(port, folder);
  });

  it.each(['--instances', '--intercept'])('%s without --start is refused', async (flag) => {
    const { stderr, code } = await runCli(
      ['test', '--to', '9', '--provider', 'generic', flag, flag === '--intercept' ? 'A=redis://localhost' : '2'],
      { cwd: tempFolder() },
    );
    expect(code).toBe(2);
    expect(stderr).toMatch(/needs --start/);
  });
});

describe.runIf(isPosix)('nothing is left running', () => {
  it.each(['SIGKILL', 'SIGINT', 'SIGTERM'] as const)('after %s to us', { timeout: 60_000 }, async (signal) => {
    const [folder, port] = [tempFolder(), await freePort()];
    const child = startCli(['test', ...memoryShop(port), '--settle', '5s'], { cwd: folder });
    const ended = endOf(child);
    await waitForOutput(child.stderr, /seed/);
    expect(await accepts(port)).toBe(true);
    child.kill(signal);
    await ended;
    await untilGone(port, folder);
  });

  it('after SIGKILL to us while the receiver stands still', { timeout: 60_000 }, async () => {
    const [folder, port] = [tempFolder(), await freePort()];
    const child = startCli(['test', ...memoryShop(port), '--settle', '5s'], { cwd: folder });
    const ended = endOf(child);
    await waitForOutput(child.stderr, /seed/);
    const [line = ''] = processesWith(`--port ${port}`).filter(
      (each) => each.includes('memory-shop') && !each.includes('webhook-replay.js'),
    );
    process.kill(Number.parseInt(line, 10), 'SIGSTOP');
    child.kill('SIGKILL');
    await ended;
    await untilGone(port, folder);
  });

  it('after a receiver that never gets ready', { timeout: 60_000 }, async () => {
    const [folder, port] = [tempFolder(), await freePort()];
    const words = ['--start', `sleep 61 & echo so far so good --port ${port}; exit 3`, '--to', `127.0.0.1:${port}`];
    const { stderr, code } = await runCli(['test', ...words, '--provider', 'generic'], { cwd: folder });
    expect(code).toBe(3);
    expect(stderr).toContain('ended with exit code 3');
    expect(stderr).toContain('so far so good');
    await untilGone(port, folder);
    expect(processesWith('sleep 61')).toEqual([]);
  });
});

async function endOf(child: ChildProcess): Promise<void> {
  onTestFinished(() => {
    child.kill('SIGKILL');
  });
  await once(child, 'close');
}
