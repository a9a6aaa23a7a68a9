import { spawn } from 'node:child_process';
import { existsSync, openSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { runCli, startCli } from '../support/cli.ts';
import { tempFolder } from '../support/temp-folder.ts';

const BIN = fileURLToPath(new URL('../../bin/webhook-replay.js', import.meta.url));
const UNREACHABLE = ['send', 'fixture:generic/order.paid', '--to', '127.0.0.1:1'];

/** Commands with the code each ends with; together they write to both streams, little and much. */
const COMMANDS: ReadonlyArray<readonly [words: readonly string[], code: number]> = [
  [['--help'], 0],
  [['--version'], 0],
  [['help', 'patterns'], 0],
  [['list'], 0],
  [['list', '--json'], 0],
  [['providers', 'stripe'], 0],
  [['fixtures', '--json'], 0],
  [['receiver', '--list'], 0],
  [['replay', 'fixture:generic/order.paid', '--to', '3000', '--pattern', 'burst:1000', '--dry-run'], 0],
  [['frobnicate'], 2],
  [['show', 'last', '--json'], 2],
  [UNREACHABLE, 3],
  [[...UNREACHABLE, '--json'], 3],
];

describe('a pipe whose reader has left', () => {
  it.each(COMMANDS)('%j ends with %i although nobody reads its output', async (words, code) => {
    const child = startCli(words, { cwd: tempFolder() });
    let stderr = '';
    child.stderr.on('data', (chunk: Buffer) => {
      stderr += chunk.toString();
    });
    child.stdout.destroy();
    child.stdin.end();
    expect(await new Promise((resolve) => child.on('close', resolve))).toBe(code);
    expect(stderr).not.toMatch(/EPIPE|\n {4}at /);
  });

  it.each(COMMANDS)('%j ends with %i although nobody reads its errors', async (words, code) => {
    const child = startCli(words, { cwd: tempFolder() });
    child.stdout.resume();
    child.stderr.destroy();
    child.stdin.end();
    expect(await new Promise((resolve) => child.on('close', resolve))).toBe(code);
  });
});

describe('without a terminal', () => {
  it.each(COMMANDS)('%j ends with %i with standard input closed', async (words, code) => {
    const { code: ended, stderr } = await runCli(words, { cwd: tempFolder() });
    expect(ended).toBe(code);
    expect(stderr).not.toMatch(/\n {4}at /);
  });

  it.skipIf(!existsSync('/dev/full'))(
    'says that the disk is full instead of losing output (needs /dev/full)',
    async () => {
      const child = spawn(process.execPath, [BIN, 'providers'], {
        stdio: ['ignore', openSync('/dev/full', 'w'), 'pipe'],
      });
      let stderr = '';
      child.stderr?.on('data', (chunk: Buffer) => {
        stderr += chunk.toString();
      });
      expect(await new Promise((resolve) => child.on('close', resolve))).toBe(2);
      expect(stderr).toBe('error: The output could not be written: the disk is full.\n');
    },
  );

  it('colours each stream by itself, and a pipe only when it is told to', async () => {
    const cwd = tempFolder();
    expect((await runCli(['lst'], { cwd })).stderr).not.toContain('\u001b[');
    expect((await runCli(['lst'], { cwd, env: { FORCE_COLOR: '1' } })).stderr).toContain('\u001b[31merror:');
    expect((await runCli(['lst'], { cwd, env: { FORCE_COLOR: '0' } })).stderr).not.toContain('\u001b[');
    expect((await runCli(['lst', '--no-color'], { cwd, env: { FORCE_COLOR: '1' } })).stderr).not.toContain('\u001b[');
  });

  it('keeps to one line on standard error, and to the verdict with --quiet', async () => {
    const cwd = tempFolder();
    const loud = await runCli(UNREACHABLE, { cwd });
    expect(loud.stderr).toMatch(/^1 event to http:\/\/127\.0\.0\.1:1, pattern once: 1 delivery, seed \d+\n$/);
    const quiet = await runCli([...UNREACHABLE, '--quiet'], { cwd });
    expect(quiet.stderr).toBe('');
    expect(quiet.stdout).toMatch(/^\? INCONCLUSIVE {2}1 inconclusive - 1 attempt - .+ - run \w{6}\n$/);
    const verbose = await runCli([...UNREACHABLE, '--verbose'], { cwd });
    expect(verbose.stderr).toMatch(/\n {2}#1 -> \S+ attempt 1\/1 \.\.\. no response: refused \d+ ms\n/);
  });
});

describe('--json', () => {
  it.each<readonly string[]>([
    ['list'],
    ['providers'],
    ['providers', 'svix'],
    ['fixtures'],
    ['fixtures', 'generic/order.paid'],
    ['receiver', '--list'],
    ['help', 'patterns'],
    ['--version'],
    ['replay', '--help'],
    ['replay', 'fixture:generic/order.paid', '--to', '3000', '--dry-run'],
    ['test', '--provider', 'generic', '--list'],
    ['sign', '--provider', 'github', '--secret', 'test-secret', '--body', '{}'],
    UNREACHABLE,
    ['replay', 'fixture:generic/order.paid', '--to', '127.0.0.1:1', '--effect', 'exec:echo 1', '--settle', '1ms'],
    ['frobnicate'],
    ['list', '--frob'],
    ['show', 'nothing'],
    ['export'],
    ['prune', '--keep', '0', '--type', 'x'],
    ['import', 'nowhere.json'],
    ['tag', 'last', '--add', 'x'],
    ['verify', '--body', '{}', '--secret', 'x'],
    ['capture', '--limit', 'huge'],
    ['receiver', 'nave'],
    [],
  ])('%j gives exactly one document, wherever the flag stands', async (...words) => {
    const cwd = tempFolder();
    for (const line of [
      ['--json', ...words],
      [...words, '--json'],
    ]) {
      const { stdout, code } = await runCli(line, { cwd });
      const document = JSON.parse(stdout) as Readonly<Record<string, unknown>>;
      expect(document['schema']).toMatch(/^webhook-replay\/[a-z]+\/1$/);
      expect(document['verdict'] === 'error').toBe(code === 2);
    }
  });
});
