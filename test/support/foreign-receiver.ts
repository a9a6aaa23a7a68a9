import { spawn, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';
import { renaming } from '../../src/fixtures/receivers/names.ts';
import type { Names } from '../../src/fixtures/receivers/types.ts';
import { waitForOutput } from './cli.ts';
import { type Row, usualRows } from './usual-rows.ts';

/** A receiver that is none of ours: other language or framework, other habits. */
export type Foreign = { readonly name: string; readonly command: readonly string[] };

const FOLDER = fileURLToPath(new URL('../fixtures/receivers/', import.meta.url));

export const EXPRESS: Foreign = { name: 'express', command: [process.execPath, join(FOLDER, 'express-shop.js')] };
export const PYTHON: Foreign = { name: 'Python', command: ['python3', join(FOLDER, 'shop.py')] };

/** Python 3.9 or newer is there. */
export function hasPython(): boolean {
  return spawnSync('python3', ['-c', 'import sys; sys.exit(sys.version_info < (3, 9))']).status === 0;
}

export type ForeignOptions = {
  readonly provider?: 'generic-hmac' | 'stripe';
  /** Absent: signatures are not checked. */
  readonly secret?: string;
  readonly fault?: string;
  /** Gives tables, columns and the route other names. */
  readonly rename?: number;
  /** Who ends it; a concurrent test must give its own, since vitest does not know which of them is asking. */
  readonly atEnd?: (end: () => Promise<void>) => void;
};

export type RunningForeign = {
  readonly url: string;
  readonly db: string;
  readonly names: Names | undefined;
  readonly stderr: () => string;
  /** By the usual names, whatever it calls them. */
  readonly rows: (table: string) => readonly Row[];
};

let count = 0;

/** Starts it in a process of its own, for the length of the test. */
export async function startForeign(
  folder: string,
  { command: [program = '', ...script] }: Foreign,
  { provider = 'generic-hmac', secret, fault, rename, atEnd = onTestFinished }: ForeignOptions = {},
): Promise<RunningForeign> {
  count += 1;
  const db = join(folder, `foreign-${count}.db`);
  const names = rename === undefined ? undefined : renaming(rename);
  const words = [
    ...['--db', db, '--provider', provider],
    ...(fault === undefined ? [] : ['--fault', fault]),
    ...(names === undefined ? [] : ['--names', JSON.stringify(names.words), '--route', names.route]),
  ];
  const env = { PATH: process.env['PATH'] ?? '', ...(secret === undefined ? {} : { WEBHOOK_SECRET: secret }) };
  const child = spawn(program, [...script, ...words], { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] });
  let stderr = '';
  child.stderr.on('data', (chunk: Buffer) => {
    stderr += chunk.toString();
  });
  const ended = new Promise((resolve) => child.on('close', resolve));
  atEnd(async () => {
    child.kill('SIGKILL');
    await ended;
  });
  const [line] = await waitForOutput(child.stdout, /^\{.*\}\n/).catch((error: unknown) => {
    throw new Error(`The receiver ended before it was ready: ${stderr}`, { cause: error });
  });
  const { url } = JSON.parse(line) as { url: string };
  const rows = (table: string) => usualRows(db, table, names?.words ?? null);
  return { url, db, names, stderr: () => stderr, rows };
}
