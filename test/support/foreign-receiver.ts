import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';
import { renaming } from '../../src/fixtures/receivers/names.ts';
import type { Names } from '../../src/fixtures/receivers/types.ts';
import { type Foreign, startProcess } from './start-process.ts';
import { type Row, usualRows } from './usual-rows.ts';

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
  { name, command }: Foreign,
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
  const env: Record<string, string> = secret === undefined ? {} : { WEBHOOK_SECRET: secret };
  const started = await startProcess({ name, command: [...command, ...words] }, { cwd: folder, atEnd, env });
  const rows = (table: string) => usualRows(db, table, names?.words ?? null);
  return { ...started, db, names, rows };
}
