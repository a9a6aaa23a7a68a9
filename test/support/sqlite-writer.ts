import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { expect } from 'vitest';

const PACKAGE = fileURLToPath(new URL('../../', import.meta.url));

const SCRIPT = `
const [file, timeout] = process.argv.slice(1);
const Database = require('better-sqlite3');
const db = new Database(file, { timeout: Number(timeout) });
const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
require('node:readline').createInterface({ input: process.stdin }).on('line', async (line) => {
  try {
    const value = await new (Object.getPrototypeOf(async function () {}).constructor)('db', 'sleep', line)(db, sleep);
    console.log('done ' + JSON.stringify(value ?? null));
  } catch (error) {
    console.log('failed ' + JSON.stringify(error.code + ' ' + error.message));
  }
});
console.log('ready');
`;

/** A process of its own that writes to a SQLite file, as a receiver would. */
export type SqliteWriter = {
  /** Runs one line of JavaScript there, with `db` and `sleep`; gives back what it returns, and throws what it throws. */
  readonly run: (line: string) => Promise<unknown>;
  /** Kills it without warning, whatever it is doing. */
  readonly kill: () => Promise<void>;
  readonly close: () => Promise<void>;
};

/** @param timeoutMs how long it waits for locks; 0 fails at once, as `node:sqlite` does by default */
export async function startSqliteWriter(file: string, timeoutMs = 0): Promise<SqliteWriter> {
  const child = spawn(process.execPath, ['-e', SCRIPT, file, String(timeoutMs)], { cwd: PACKAGE });
  child.stderr.resume();
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const next = async () => ((await lines.next()).value as string | undefined) ?? 'failed "the writer has ended"';
  expect(await next()).toBe('ready');
  return {
    run: async (line) => {
      child.stdin.write(`${line.replaceAll('\n', ' ')}\n`);
      const [, how, value = 'null'] = /^(\w+) (.*)$/.exec(await next()) ?? [];
      if (how === 'failed') throw new Error(JSON.parse(value) as string);
      return JSON.parse(value);
    },
    kill: () => end(child, 'SIGKILL'),
    close: () => end(child, 'SIGTERM'),
  };
}

async function end(child: ChildProcessWithoutNullStreams, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const closed = new Promise((resolve) => child.on('close', resolve));
  child.kill(signal);
  await closed;
}
