import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openCorpus } from '../src/corpus/open-corpus.ts';
import { withCapture } from './capture.ts';
import { resultOf, startChild, startCli, withServer } from './child.ts';
import { eventOf, loadAmount } from './deliveries.ts';
import { row } from './figures.ts';
import type { Goal } from './goals.ts';

const MOST_MB = 250;
const EVENTS = 1000;
const COPIES = 100;
const CAPTURED = 1_000_000;

/** The greatest resident size of the whole process. */
export async function benchMemory(): Promise<readonly Goal[]> {
  console.log('\nMemory: the greatest resident size; MB');
  const folder = mkdtempSync(join(tmpdir(), 'webhook-replay-bench-'));
  try {
    return [await replayed(folder), await captured(folder)];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function replayed(folder: string): Promise<Goal> {
  const maxRssFile = join(folder, 'replay-rss');
  const corpus = openCorpus(join(folder, 'corpus.db'));
  corpus.add(Array.from({ length: EVENTS }, (_, index) => eventOf(index)));
  corpus.close();
  await withServer(startChild('fixed-receiver', 'raw'), (url) => {
    const words = [
      'replay',
      `last:${EVENTS}`,
      '--pattern',
      `duplicate:${COPIES}`,
      '--to',
      url.href,
      '--json',
      '--quiet',
    ];
    const flags = ['--secret', 'bench-secret', '--concurrency', '50', '--corpus', join(folder, 'corpus.db')];
    return resultOf(startCli([...words, ...flags], { cwd: folder, maxRssFile }));
  });
  return told(`${EVENTS * COPIES} replayed`, maxRssFile);
}

async function captured(folder: string): Promise<Goal> {
  const maxRssFile = join(folder, 'capture-rss');
  await withCapture(async ({ url, stop }) => {
    await loadAmount(url, CAPTURED);
    await stop();
  }, maxRssFile);
  return told(`${CAPTURED} captured`, maxRssFile);
}

function told(what: string, maxRssFile: string): Goal {
  const value = Number(readFileSync(maxRssFile, 'utf8')) / 1024;
  row(what, value.toFixed(0));
  return { what: `${what}, MB`, value, most: MOST_MB };
}
