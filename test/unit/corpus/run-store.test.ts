import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openCorpus } from '../../../src/corpus/open-corpus.ts';
import type { Attempt } from '../../../src/model/attempt.ts';
import type { Step } from '../../../src/model/plan.ts';
import type { Run } from '../../../src/model/run.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const file = join(tempFolder(), 'runs.db');

const run = (id: string, startedAt: string): Run => ({
  id,
  command: 'replay',
  startedAt,
  durationMs: 12.5,
  seed: 7,
  nonce: 'n',
  request: { events: ['last'], flags: [] },
  receiver: { url: 'http://127.0.0.1:1/' },
  plan: { pattern: 'duplicate', seed: 7, steps: [], reorders: false, concurrency: 1 },
  effects: [],
  counts: { events: 1, attempts: 2, planned: 2 },
  trials: [],
  verdict: 'pass',
  interrupted: false,
});

/** What a list says of each of them besides. */
const LISTED = {
  interrupted: false,
  receiver: { url: 'http://127.0.0.1:1/' },
  counts: { events: 1, attempts: 2, planned: 2 },
  pattern: 'duplicate',
  verdicts: [],
};

const attempt = (number: number, outcome: Attempt['outcome']): Attempt => ({
  number,
  step: 's',
  event: 'e',
  round: 'round-1',
  copy: 1,
  attempt: 1,
  times: { plannedMs: 0, sentMs: 1, doneMs: 2 },
  outcome,
});

describe('runs', () => {
  it('come back with every step of a long plan, in order, and with no more evidence than was saved', () => {
    const corpus = openCorpus(join(tempFolder(), 'long.db'));
    const steps = Array.from({ length: 12_001 }, (_, index): Step => {
      const delivery = { event: `e${index % 7}`, copy: 1, as: 'same', repeat: { kind: 'once' } } as const;
      return { id: `s${index + 1}`, start: { kind: 'at', atMs: index }, delivery };
    });
    const short = run('Long', '2025-01-01T00:00:00.000Z');
    const long: Run = { ...short, plan: { pattern: 'duplicate', seed: 7, steps, reorders: true, concurrency: 3 } };
    corpus.saveRun(short, [{ name: 'trial.0', document: 1 }]);
    corpus.saveRun(long, [{ name: 'trial.0', document: { kept: true } }]);
    expect(corpus.run('Long')).toEqual(long);
    expect(corpus.evidence('Long')).toEqual([{ name: 'trial.0', document: { kept: true } }]);
    corpus.close();
  });

  it('come back as they were saved, newest first in the list', () => {
    const corpus = openCorpus(file);
    corpus.saveRun(run('Old', '2026-01-01T00:00:00.000Z'));
    corpus.saveRun(run('New', '2026-01-02T00:00:00.000Z'));
    corpus.saveRun({ ...run('New', '2026-01-02T00:00:00.000Z'), verdict: 'fail' });
    expect(corpus.run('Old')).toEqual(run('Old', '2026-01-01T00:00:00.000Z'));
    expect(corpus.run('None')).toBeUndefined();
    expect(corpus.runs(10)).toEqual([
      {
        id: 'New',
        command: 'replay',
        startedAt: '2026-01-02T00:00:00.000Z',
        durationMs: 12.5,
        seed: 7,
        verdict: 'fail',
        ...LISTED,
      },
      {
        id: 'Old',
        command: 'replay',
        startedAt: '2026-01-01T00:00:00.000Z',
        durationMs: 12.5,
        seed: 7,
        verdict: 'pass',
        ...LISTED,
      },
    ]);
    expect(corpus.runs(1)).toHaveLength(1);
    corpus.close();
  });
});

describe('evidence', () => {
  it('comes back in its order, is replaced with its run, and is none for a run without', () => {
    const corpus = openCorpus(file);
    const parts = [
      { name: 'b', document: { text: '\ud800 \u0000 é', list: [1, null, 'x'.repeat(1000)] } },
      { name: 'a', document: [] },
    ];
    corpus.saveRun(run('Kept', '2026-01-03T00:00:00.000Z'), [{ name: 'old', document: 1 }]);
    corpus.saveRun(run('Kept', '2026-01-03T00:00:00.000Z'), parts);
    expect(corpus.evidence('Kept')).toEqual(parts);
    expect(corpus.evidence('New')).toEqual([]);
    corpus.close();
  });
});

describe('attempts', () => {
  it('come back in order, with any bytes an answer had', () => {
    const corpus = openCorpus(file);
    const attempts = [
      attempt(1, { kind: 'response', status: 200, headers: [['A', '\xe9']], body: new Uint8Array([0, 255, 10]) }),
      attempt(2, { kind: 'no-response', reason: 'timeout', detail: 'after 10 s' }),
      attempt(3, { kind: 'response', status: 204, headers: [], body: new Uint8Array() }),
    ];
    corpus.addAttempts('Run', attempts.slice(1));
    corpus.addAttempts('Run', attempts.slice(0, 1));
    expect(corpus.attempts('Run')).toEqual(attempts);
    expect(corpus.attempts('Other')).toEqual([]);
    corpus.close();
  });
});
