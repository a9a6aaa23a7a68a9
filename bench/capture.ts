import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, watch } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startChild, startCli, withServer } from './child.ts';
import { loadRate } from './deliveries.ts';
import type { Goal } from './goals.ts';
import { comparePairs } from './pairs.ts';

const RUNS = 5;

/** Each capture is on disk before its answer goes out; the peer is a node:http server that reads the body and stores nothing. */
export async function benchCapture(): Promise<readonly Goal[]> {
  console.log(`\nCapture: stored durably before the answer, 50 connections, 2 KB each, ${RUNS} pairs in turn`);
  return [
    await withServer(startChild('fixed-receiver', 'http'), (nothing) =>
      comparePairs({
        title: 'capture',
        runs: RUNS,
        peer: 'a server that stores nothing',
        runPeer: () => loadRate(nothing),
        // A fresh one each time: what a capture does in the pause behind its deliveries is not to slow the peer.
        runOurs: () => withCapture(({ url }) => loadRate(url)),
        least: 0.75,
      }),
    ),
  ];
}

type Running = { readonly url: URL /** Ends it, and waits until it has. */; readonly stop: () => Promise<void> };

/** A capture as users start it, on a corpus of its own. */
export async function withCapture<T>(work: (running: Running) => Promise<T>, maxRssFile?: string): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'webhook-replay-bench-'));
  const ready = join(folder, 'url.txt');
  const words = ['capture', '--port', '0', '--quiet', '--ready-file', ready];
  const child = startCli(words, { cwd: folder, silent: true, ...(maxRssFile ? { maxRssFile } : {}) });
  const ended = once(child, 'close');
  try {
    return await work({
      url: new URL(await contentOf(ready, folder)),
      stop: async () => {
        child.kill('SIGINT');
        await ended;
      },
    });
  } finally {
    child.kill('SIGINT');
    await ended;
    rmSync(folder, { recursive: true, force: true });
  }
}

async function contentOf(file: string, folder: string): Promise<string> {
  const watcher = watch(folder);
  while (!existsSync(file)) await once(watcher, 'change');
  watcher.close();
  return readFileSync(file, 'utf8').trim();
}
