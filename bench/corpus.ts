import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openCorpus } from '../src/corpus/open-corpus.ts';
import type { Corpus, EventFilter, Page } from '../src/model/corpus.ts';
import { eventOf } from './deliveries.ts';
import { figuresOf, row, shown } from './figures.ts';
import type { Goal } from './goals.ts';

const EVENTS = 1_000_000;
const BATCH = 1000;
const RUNS = 15;
const NEWEST: Page = { limit: 50, order: 'newest-first' };
const HOUR = { since: '2026-01-02T00:00:00.000Z', until: '2026-01-02T01:00:00.000Z' };

/** Questions that people ask, each of the whole corpus. Each must be answered within 10 ms. */
const QUESTIONS: Readonly<Record<string, (corpus: Corpus, run: number) => unknown>> = {
  'the newest 50': (corpus) => corpus.list({}, NEWEST),
  'the next 50 behind an event': (corpus) => corpus.list({}, { ...NEWEST, after: middleOf(corpus) }),
  'the newest 50 of a provider': listing({ providers: ['generic-hmac'] }),
  'the newest 50 of a type': listing({ types: ['order.paid'] }),
  'of a type, in an hour': listing({ types: ['order.paid'], ...HOUR }),
  'the newest 50 of a type by glob': listing({ types: ['order.*'] }),
  'of a resource': listing({ resource: 'ord_77' }),
  "by a provider's event id": (corpus, run) => corpus.get(`evt_${(run * 50_021).toString(36)}`),
  'of a tag': listing({ tags: ['checkout'] }),
};

export async function benchCorpus(): Promise<readonly Goal[]> {
  console.log(
    `\nCorpus: ${EVENTS} events of 2 KB; each question ${RUNS} times, the first one in a new process' memory`,
  );
  const folder = mkdtempSync(join(tmpdir(), 'webhook-replay-bench-'));
  const file = join(folder, 'corpus.db');
  try {
    fill(file);
    const startMs = performance.now();
    const corpus = openCorpus(file);
    row('opening', `${(performance.now() - startMs).toFixed(1)} ms`);
    const goals = Object.entries(QUESTIONS).map(([what, ask]) => {
      const times = Array.from({ length: RUNS }, (_, run) => timeOf(() => ask(corpus, run)));
      row(
        what,
        shown(figuresOf(times), (ms) => `${ms.toFixed(2)} ms`),
      );
      return { what: `${what}, ms`, value: figuresOf(times).median, most: 10 };
    });
    corpus.close();
    return goals;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function listing(filter: EventFilter): (corpus: Corpus) => unknown {
  return (corpus) => corpus.list(filter, NEWEST);
}

let middle: string | undefined;

/** Found once, so that only the question behind it is measured. */
function middleOf(corpus: Corpus): string {
  middle ??= corpus.get(`evt_${(EVENTS / 2).toString(36)}`)?.id ?? '';
  return middle;
}

function timeOf(work: () => unknown): number {
  const startMs = performance.now();
  work();
  return performance.now() - startMs;
}

function fill(file: string): void {
  const corpus = openCorpus(file);
  const startMs = performance.now();
  for (let done = 0; done < EVENTS; done += BATCH) {
    const events = Array.from({ length: BATCH }, (_, index) => eventOf(done + index));
    corpus.add(events.map((event, index) => (index === 0 ? { ...event, tags: ['checkout'] } : event)));
  }
  const seconds = (performance.now() - startMs) / 1000;
  corpus.close();
  row('adding', `${Math.round(EVENTS / seconds)}/s`, `${(statSync(file).size / 2 ** 30).toFixed(2)} GiB`);
}
