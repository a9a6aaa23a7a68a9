import { describe, expect, it } from 'vitest';
import { redactedStore } from '../../../src/commands/redacted-store.ts';
import { openCorpus } from '../../../src/corpus/open-corpus.ts';
import type { Attempt } from '../../../src/model/attempt.ts';
import { createRedactor } from '../../../src/support/redact.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const SECRET = 'k3y-of-the-shop';

function attempt(number: number, outcome: Attempt['outcome']): Attempt {
  const times = { plannedMs: 0, sentMs: 1, doneMs: 2 };
  return { number, step: `s${number}`, event: 'e', round: 'round-1', copy: 1, attempt: 1, times, outcome };
}

describe('attempts that are kept', () => {
  it('hold no secret, in headers that several answers share as in bodies, and their own status each', () => {
    const redactor = createRedactor();
    redactor.register(SECRET);
    const corpus = openCorpus(`${tempFolder()}/corpus.db`);
    const headers = [
      ['X-Echo', `sent ${SECRET}`],
      ['X-Two', '2'],
    ] as const;
    const body = Buffer.from(`\xff you said ${SECRET}`, 'latin1');
    redactedStore(corpus, redactor).addAttempts('run', [
      attempt(1, { kind: 'response', status: 200, headers, body }),
      attempt(2, { kind: 'response', status: 500, headers, body: new Uint8Array() }),
      attempt(3, { kind: 'response', status: 200, headers: [['X-Other', 'x']], body: new Uint8Array() }),
      attempt(4, { kind: 'no-response', reason: 'reset', detail: `while ${SECRET} was sent` }),
    ]);
    const clean = [
      ['X-Echo', 'sent [secret]'],
      ['X-Two', '2'],
    ];
    expect(corpus.attempts('run').map(({ outcome }) => outcome)).toEqual([
      {
        kind: 'response',
        status: 200,
        headers: clean,
        body: new Uint8Array(Buffer.from('\xff you said [secret]', 'latin1')),
      },
      { kind: 'response', status: 500, headers: clean, body: new Uint8Array() },
      { kind: 'response', status: 200, headers: [['X-Other', 'x']], body: new Uint8Array() },
      { kind: 'no-response', reason: 'reset', detail: 'while [secret] was sent' },
    ]);
    corpus.close();
  });
});
