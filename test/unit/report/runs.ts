import type { Finding } from '../../../src/model/finding.ts';
import type { Run, Trial } from '../../../src/model/run.ts';

/** Runs made by hand, one for each thing a report must tell. */
export const FINDING: Finding = {
  check: 'no-second-effect',
  title: 'orders: 1 row too many',
  event: 'evt_1',
  effect: 'orders',
  expected: '1 row added',
  actual: '2 rows added',
  evidence: ['#3 at 0.120 s, copy 1, attempt 1 -> 200 in 41 ms', 'added orders 18: id=18 total=100   <- second effect'],
  hint: 'Put the guard and the effect in one transaction.',
  ignore: ['orders', "audit's.*"],
};

export function trial(id: string, verdict: Trial['verdict'], more: Partial<Trial> = {}): Trial {
  const title = `What ${id} shows`;
  return { id, title, verdict, rounds: 1, hits: 0, needs: [], warnings: [], notes: [], findings: [], ...more };
}

export const PASSED = trial('duplicate.sequential', 'pass', { durationMs: 1250, warnings: ['slow to answer'] });

export const FAILED = trial('duplicate.concurrent', 'fail', {
  durationMs: 2000,
  rounds: 20,
  hits: 3,
  spreadMicros: { p50: 84, max: 310 },
  findings: [
    FINDING,
    { ...FINDING, check: 'newest-wins', title: 'orders: status', event: undefined, ignore: undefined },
  ],
});

export const UNCLEAR = trial('retry.after-reset', 'inconclusive', { reason: 'The baseline showed no effect.' });

export const SKIPPED = trial('duplicate.after-restart', 'skip', { reason: 'We cannot kill it.', needs: ['--start'] });

const ABSENT = trial('auth.rotated', 'not-applicable', { reason: 'generic signs nothing.' });

export function run(trials: readonly Trial[], more: Partial<Run> = {}): Run {
  return {
    id: 'Xt9Kp2',
    command: 'test',
    startedAt: '2026-01-01T00:00:00.000Z',
    durationMs: 4180,
    seed: 7,
    nonce: 'n0nce',
    request: { events: ['last'], flags: ['--to', '3000', '--effect', 'sqlite:app.db#orders'] },
    receiver: { url: 'http://127.0.0.1:3000/webhooks' },
    effects: [{ id: 'orders', source: 'sqlite:app.db#orders', baseline: { added: 1, changed: 0, removed: 0 } }],
    counts: { events: 1, attempts: 12, planned: 12 },
    trials,
    verdict: 'fail',
    interrupted: false,
    ...more,
  };
}

export const ALL = run([PASSED, FAILED, UNCLEAR, SKIPPED, ABSENT]);

export const REPLAYED = run([{ ...FAILED, id: 'replay', durationMs: undefined }], {
  command: 'replay',
  plan: { pattern: 'duplicate:3', seed: 7, steps: [], reorders: false, concurrency: 1 },
  notes: ['Judged again; nothing was sent.'],
});

/** A run in which each text from outside is this one. */
export function runOf(text: string): Run {
  const finding = { ...FINDING, title: text, event: text, expected: text, actual: text, evidence: [text], hint: text };
  const told = { title: text, reason: text, needs: [text], warnings: [text], notes: [text] };
  return run(
    [
      trial('duplicate.sequential', 'fail', { ...told, findings: [{ ...finding, ignore: [text] }] }),
      trial('retry.after-reset', 'inconclusive', told),
      trial('duplicate.after-restart', 'skip', told),
    ],
    { receiver: { url: text }, request: { events: [text], flags: [text] }, notes: [text] },
  );
}
