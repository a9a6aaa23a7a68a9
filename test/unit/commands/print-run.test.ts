import { describe, expect, it } from 'vitest';
import { redactedRun } from '../../../src/commands/print-run.ts';
import type { Run } from '../../../src/model/run.ts';
import { emptyTrial } from '../../../src/run/trial.ts';
import { createRedactor } from '../../../src/support/redact.ts';

const RUN: Run = {
  id: 'Xt9Kp2',
  command: 'test',
  startedAt: '2026-01-01T00:00:00.000Z',
  durationMs: 1,
  seed: 7,
  nonce: 'n',
  request: { events: [], flags: ['--header', 'X-Key: test'] },
  receiver: { url: 'http://127.0.0.1:1/test' },
  effects: [],
  counts: { events: 1, attempts: 1, planned: 1 },
  trials: [{ ...emptyTrial('pass'), id: 'duplicate.test', reason: 'It said test and pass.' }],
  verdict: 'pass',
  interrupted: false,
};

describe('a run whose secrets are words', () => {
  it('is still a run of its command, with its verdict, and repeats none of them elsewhere', () => {
    const redactor = createRedactor();
    for (const word of ['test', 'pass']) redactor.register(word);
    const { command, verdict, trials, receiver, request } = redactedRun(RUN, redactor);
    expect([command, verdict, trials[0]?.id, trials[0]?.verdict]).toEqual(['test', 'pass', 'duplicate.test', 'pass']);
    expect(trials[0]?.reason).toBe('It said [secret] and [secret].');
    expect(receiver.url).toBe('http://127.0.0.1:1/[secret]');
    expect(JSON.stringify(request)).not.toContain('test');
  });
});
