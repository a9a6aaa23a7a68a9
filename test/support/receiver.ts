import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { startCli } from './cli.ts';
import { type Row, usualRows } from './usual-rows.ts';

export type RunningReceiver = {
  readonly url: string;
  readonly db: string;
  readonly stderr: () => string;
  /** By the usual names, whatever it calls them. */
  readonly rows: (table: string) => readonly Row[];
  /** Usual name to its own; `null` when it has the usual ones. */
  readonly names: Ready['names'];
  /** The exit code; `null` after SIGKILL. */
  readonly stop: (signal?: NodeJS.Signals) => Promise<number | null>;
};

type Ready = { readonly url: string; readonly names: Readonly<Record<string, string>> | null };

let count = 0;

type ReceiverOptions = {
  readonly env?: Readonly<Record<string, string>>;
  /** Who ends it; a concurrent test must give its own, since vitest does not know which of them is asking. */
  readonly atEnd?: (end: () => Promise<void>) => void;
};

/** Starts `webhook-replay receiver` in a process of its own, for the length of the test. */
export async function startReceiverProcess(
  folder: string,
  words: readonly string[],
  { env = {}, atEnd = onTestFinished }: ReceiverOptions = {},
): Promise<RunningReceiver> {
  count += 1;
  const db = join(folder, words.includes('--db') ? String(words[words.indexOf('--db') + 1]) : `receiver-${count}.db`);
  const place = words.includes('--db') ? [] : ['--db', `sqlite:${db}`];
  const child = startCli(['receiver', ...words, ...place, '--json'], { cwd: folder, env });
  let stderr = '';
  child.stderr.on('data', (chunk: Buffer) => {
    stderr += chunk.toString();
  });
  const ended = new Promise<number | null>((resolve) => child.on('close', resolve));
  atEnd(async () => {
    child.kill('SIGKILL');
    await ended;
  });
  const ready = await new Promise<Ready>((resolve, reject) => {
    child.stdout.once('data', (chunk: Buffer) => resolve(JSON.parse(chunk.toString())));
    child.on('close', () => reject(new Error(`the receiver ended before it was ready: ${stderr}`)));
  });
  return {
    // With names of its own the receiver has a route of its own.
    url: ready.names ? ready.url : `${ready.url}/webhooks`,
    db,
    stderr: () => stderr,
    rows: (table) => usualRows(db, table, ready.names),
    names: ready.names,
    stop: (signal = 'SIGTERM') => {
      child.kill(signal);
      return ended;
    },
  };
}
