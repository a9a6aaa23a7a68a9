import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import { join } from 'node:path';
import { openCorpus } from '../../src/corpus/open-corpus.ts';
import type { Corpus } from '../../src/model/corpus.ts';
import { type CliOptions, startCli } from './cli.ts';

/** One line of `capture --json`. */
export type CaptureLine = { readonly type: string; readonly seq: number } & Readonly<Record<string, unknown>>;

export type CaptureProcess = {
  readonly child: ChildProcessWithoutNullStreams;
  readonly url: string;
  readonly port: number;
  /** Standard output so far, parsed. */
  readonly lines: readonly CaptureLine[];
  /** Standard error so far. */
  readonly text: () => string;
  /** Resolves with the count-th line of this type; rejects when the process ends before. */
  readonly line: (type: string, count?: number) => Promise<CaptureLine>;
  /** Resolves with the exit code (null after a signal) once all output has been read. */
  readonly exit: Promise<number | null>;
  /** Ctrl-C, then the exit code. */
  readonly stop: () => Promise<number | null>;
};

/** The real program on a free port with `--json`; resolves at its ready line. */
export async function startCaptureCli(args: readonly string[], options: CliOptions): Promise<CaptureProcess> {
  const child = startCli(['capture', '--port', '0', '--json', ...args], options);
  const lines: CaptureLine[] = [];
  const waiting = new Set<() => void>();
  let rest = '';
  let text = '';
  let ended = false;
  const wakeAll = () => {
    for (const wake of waiting) wake();
  };
  child.stdout.on('data', (chunk: Buffer) => {
    rest += chunk.toString();
    const complete = rest.split('\n');
    rest = complete.pop() ?? '';
    lines.push(...complete.map((line) => JSON.parse(line) as CaptureLine));
    wakeAll();
  });
  child.stderr.on('data', (chunk: Buffer) => {
    text += chunk.toString();
  });
  const exit = new Promise<number | null>((resolve) => {
    child.on('close', (code) => {
      ended = true;
      wakeAll();
      resolve(code);
    });
  });
  const line = (type: string, count = 1) =>
    new Promise<CaptureLine>((resolve, reject) => {
      const look = () => {
        const found = lines.filter((one) => one.type === type)[count - 1];
        if (!found && !ended) return;
        waiting.delete(look);
        if (found) resolve(found);
        else reject(new Error(`ended without ${count} lines of "${type}"; it said:\n${text}`));
      };
      waiting.add(look);
      look();
    });
  const url = (await line('ready'))['url'] as string;
  const stop = () => {
    child.kill('SIGINT');
    return exit;
  };
  return { child, url, port: Number(new URL(url).port), lines, text: () => text, line, exit, stop };
}

/** Opens the corpus that a capture in this folder wrote, and closes it behind the work. */
export function readCorpus<T>(folder: string, work: (corpus: Corpus) => T): T {
  const corpus = openCorpus(join(folder, '.webhook-replay', 'corpus.db'));
  try {
    return work(corpus);
  } finally {
    corpus.close();
  }
}

export const EVERYTHING = [{}, { limit: 100_000, order: 'oldest-first' }] as const;
