import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openCorpus } from '../src/corpus/open-corpus.ts';
import type { NewEvent } from '../src/model/corpus.ts';
import type { Run } from '../src/model/run.ts';
import { resultOf, startChild, startCli, withServer } from './child.ts';
import type { Goal } from './goals.ts';
import { comparePairs } from './pairs.ts';

const RUNS = 5;
const EVENTS = 1000;
const COPIES = 100;
const DELIVERIES = EVENTS * COPIES;

/** `replay` as users run it: each delivery signed for itself, each attempt in the corpus. Only the time from the first byte sent to the last answer counts. */
export async function benchDeliveries(): Promise<readonly Goal[]> {
  console.log(`\nDeliveries: signed, sent and recorded, 50 connections, ${DELIVERIES} of 2 KB, ${RUNS} pairs in turn`);
  const folder = mkdtempSync(join(tmpdir(), 'webhook-replay-bench-'));
  const corpus = join(folder, 'corpus.db');
  fill(corpus);
  try {
    const goals: Goal[] = [];
    for (const { kind, least } of [
      { kind: 'raw', least: 0.55 },
      { kind: 'http', least: 0.7 },
    ]) {
      const goal = await withServer(startChild('fixed-receiver', kind), (url) =>
        comparePairs({
          title: `${kind} receiver`,
          runs: RUNS,
          peer: 'bare autocannon',
          runPeer: () => loadRate(url),
          runOurs: () => replayRate(url, { folder, corpus }),
          least,
        }),
      );
      goals.push(goal);
    }
    return goals;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

type Loaded = { readonly seconds: number; readonly answered: number };

const LOAD_SECONDS = 4;

/** Answers a second, under a load of bare autocannon. */
export async function loadRate(url: URL): Promise<number> {
  const { seconds, answered } = await resultOf<Loaded>(startChild('load', url.href, 'seconds', String(LOAD_SECONDS)));
  return answered / seconds;
}

export async function loadAmount(url: URL, amount: number): Promise<void> {
  await resultOf<Loaded>(startChild('load', url.href, 'amount', String(amount)));
}

async function replayRate(
  url: URL,
  { folder, corpus }: { readonly folder: string; readonly corpus: string },
): Promise<number> {
  const words = ['replay', `last:${EVENTS}`, '--pattern', `duplicate:${COPIES}`, '--to', url.href, '--json', '--quiet'];
  const flags = ['--secret', 'bench-secret', '--concurrency', '50', '--corpus', corpus];
  const { run } = await resultOf<{ readonly run: Pick<Run, 'id'> }>(startCli([...words, ...flags], { cwd: folder }));
  const kept = openCorpus(corpus);
  const attempts = kept.attempts(run.id);
  kept.close();
  const answered = attempts.filter(({ outcome }) => outcome.kind === 'response' && outcome.status === 200);
  if (answered.length !== DELIVERIES) throw new Error(`${answered.length} of ${DELIVERIES} were sent and recorded.`);
  const startMs = attempts.reduce((least, { times }) => Math.min(least, times.sentMs), Number.POSITIVE_INFINITY);
  const endMs = attempts.reduce((most, { times }) => Math.max(most, times.doneMs), 0);
  return (DELIVERIES / (endMs - startMs)) * 1000;
}

function fill(file: string): void {
  const corpus = openCorpus(file);
  corpus.add(Array.from({ length: EVENTS }, (_, index) => eventOf(index)));
  corpus.close();
}

export function eventOf(index: number): NewEvent {
  const id = `evt_${index.toString(36)}`;
  const data = { id: `ord_${index % 5000}`, amount: index % 10_000, note: 'n'.repeat(1900) };
  const type = `order.${['paid', 'created', 'shipped', 'refunded'][index % 4]}`;
  return {
    provider: 'generic-hmac',
    type,
    eventId: id,
    resource: data.id,
    method: 'POST',
    path: '/hooks',
    query: null,
    headers: [
      ['Content-Type', 'application/json'],
      ['X-Event-Id', id],
    ],
    payload: Buffer.from(JSON.stringify({ id, type, created_at: '2026-01-05T10:00:00.000Z', data })),
    receivedAt: new Date(1_767_000_000_000 + index * 1000).toISOString(),
    tags: [],
    marks: [],
    origin: 'capture',
  };
}
