import { mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { openProbe } from '../../../src/observe/sources.ts';
import { type Clock, systemClock } from '../../../src/support/clock.ts';

let cwd: string;

beforeEach(() => {
  cwd = realpathSync(mkdtempSync(join(tmpdir(), 'exec-')));
});

afterEach(() => rmSync(cwd, { recursive: true, force: true }));

const open = (source: string, clock: Clock = systemClock) =>
  openProbe(source, { cwd, env: { PATH: process.env['PATH'], SHOP: 'a b' }, clock });

const read = async (source: string) => (await (await open(source)).read()).collections;

describe('an exec source', () => {
  it.each([
    ['a number', 'echo 41', [{ name: 'value', rows: [{ key: '', cells: { value: 41 } }] }]],
    ['JSON', `echo '[{"id":7,"n":1}]'`, [{ name: 'items', rows: [{ key: '/7', cells: { id: 7, n: 1 } }] }]],
    ['nothing', 'true', []],
  ])('reads %s', async (_what, command, collections) => {
    expect(await read(`exec:${command}`)).toEqual(collections);
  });

  it('reads what is no JSON as lines and counts equal ones', async () => {
    expect(await read(`exec:printf 'mail to a\\r\\nmail to b\\n\\nmail to a'`)).toEqual([
      {
        name: 'lines',
        rows: [
          { key: 'mail to a', cells: { line: 'mail to a' } },
          { key: 'mail to b', cells: { line: 'mail to b' } },
          { key: 'mail to a\n2', cells: { line: 'mail to a' } },
        ],
      },
    ]);
  });

  it('runs in the given folder with the given environment, through a shell', async () => {
    expect(await read('exec:pwd; echo $SHOP | tr a-z A-Z')).toMatchObject([
      { rows: [{ key: cwd }, { cells: { line: 'A B' } }] },
    ]);
  });

  it('says with which code a command ended and what it said last', async () => {
    await expect(open('exec:echo first >&2; echo no such table >&2; exit 3')).rejects.toMatchObject({
      exitCode: 3,
      message: expect.stringMatching(/ended with exit code 3: first\nno such table\.$/),
    });
  });

  it('says that a signal ended it', async () => {
    await expect(open('exec:kill -TERM $$')).rejects.toMatchObject({
      message: expect.stringContaining('was ended by SIGTERM'),
    });
  });

  it('ends a command that takes too long, with everything it started', async () => {
    let giveUp = () => {};
    const patient: Clock = {
      ...systemClock,
      sleep: () =>
        new Promise((resolve) => {
          giveUp = resolve;
        }),
    };
    const opening = open('exec:sleep 300 & echo $! > child; wait', patient);
    const child = await vi.waitFor(() => Number(/\d+\n/.exec(readFileSync(join(cwd, 'child'), 'utf8'))?.[0]));
    expect(isAlive(child)).toBe(true);
    giveUp();
    await expect(opening).rejects.toMatchObject({ message: expect.stringContaining('did not end within 10 s') });
    await vi.waitFor(() => expect(isAlive(child)).toBe(false));
  });

  it('does not wait for ever for what a command left in the background', async () => {
    let giveUp = () => {};
    const patient: Clock = {
      ...systemClock,
      sleep: () =>
        new Promise((resolve) => {
          giveUp = resolve;
        }),
    };
    const opening = open('exec:sleep 300 & echo $! > child', patient);
    const child = await vi.waitFor(() => Number(/\d+\n/.exec(readFileSync(join(cwd, 'child'), 'utf8'))?.[0]));
    giveUp();
    await expect(opening).rejects.toMatchObject({ message: expect.stringContaining('did not end within 10 s') });
    await vi.waitFor(() => expect(isAlive(child)).toBe(false));
  });

  it('ends a running command when it is closed', async () => {
    const probe = await open('exec:test -e go && exec sleep 300; echo 1');
    await (await open('exec:touch go')).close();
    const reading = probe.read();
    await probe.close();
    await expect(reading).rejects.toMatchObject({ message: expect.stringContaining('was stopped') });
  });

  it('stops a command that prints without end', async () => {
    await expect(open('exec:yes')).rejects.toMatchObject({ message: expect.stringContaining('more than 32 MiB') });
  });
});

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    // A killed process without a parent that asks for it stays as a zombie; it runs no more.
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
}
