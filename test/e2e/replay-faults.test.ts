import { describe, expect, it } from 'vitest';
import { FAULTS } from '../../src/fixtures/receivers/faults/faults.ts';
import { startReceiverProcess } from '../support/receiver.ts';
import { brokenChecks, replay, summaryOf } from '../support/replay.ts';
import { tempFolder } from '../support/temp-folder.ts';

const SEEDS = [1, 2, 3, 4, 5];
const ONE = 'fixture:generic-hmac/order.paid';
const SEQUENCE = ['order.created', 'order.updated', 'order.updated-2'].map((name) => `fixture:generic-hmac/${name}`);
const FAST = ['--settle', '250ms'];

type Played = { readonly events: readonly string[]; readonly pattern: string };

/** The pattern that exposes a fault, and the check that must break. The others take a trial of `test`. */
const EXPOSED_BY: Readonly<Record<string, Played & { readonly check: string }>> = {
  'no-guard': { events: [ONE], pattern: 'duplicate', check: 'no-second-effect' },
  'check-then-act-0ms': { events: [ONE], pattern: 'concurrent:2', check: 'no-second-effect' },
  'check-then-act-1ms': { events: [ONE], pattern: 'concurrent:2', check: 'no-second-effect' },
  'check-then-act-10ms': { events: [ONE], pattern: 'concurrent:2', check: 'no-second-effect' },
  'key-delivery-id': { events: [ONE], pattern: 'duplicate', check: 'no-second-effect' },
  'stale-overwrite': { events: SEQUENCE, pattern: 'out-of-order:reverse', check: 'newest-wins' },
  'adds-on-duplicate': { events: [ONE], pattern: 'duplicate', check: 'no-second-effect' },
  'duplicate-409': { events: [ONE], pattern: 'duplicate', check: 'duplicates-acknowledged' },
};

const folder = tempFolder();

function wordsFor(
  { events, pattern }: Played,
  { url, db }: { readonly url: string; readonly db: string },
  seed: number,
): readonly string[] {
  const chosen = [...events, '--pattern', pattern, '--seed', String(seed)];
  return [...chosen, '--to', url, '--effect', `sqlite:${db}`, ...FAST];
}

it('expects faults that there are', () => {
  expect(FAULTS.map(({ id }) => id)).toEqual(expect.arrayContaining(Object.keys(EXPOSED_BY)));
});

// Mostly waiting until all is quiet: several at a time.
describe.concurrent('replay, on five seeds, one after the other on the same database', () => {
  it.for(Object.entries(EXPOSED_BY))(
    'finds %s',
    { timeout: 120_000 },
    async ([fault, exposed], { expect, onTestFinished }) => {
      const words = ['--port', '0', '--fault', fault];
      const receiver = await startReceiverProcess(folder, words, { atEnd: onTestFinished });
      for (const seed of SEEDS) {
        const replayed = await replay(folder, wordsFor(exposed, receiver, seed));
        expect(replayed.code, summaryOf(replayed)).toBe(1);
        expect(brokenChecks(replayed), summaryOf(replayed)).toContain(exposed.check);
      }
    },
  );

  const exposing = Object.values(EXPOSED_BY).map(({ events, pattern }) => ({ events, pattern }));
  it.for([...new Map(exposing.map((played) => [played.pattern, played])).values()])(
    'finds nothing in the receiver "transaction" with $pattern',
    { timeout: 120_000 },
    async (played, { expect, onTestFinished }) => {
      const words = ['transaction', '--port', '0'];
      const receiver = await startReceiverProcess(folder, words, { atEnd: onTestFinished });
      for (const seed of SEEDS) {
        const replayed = await replay(folder, wordsFor(played, receiver, seed));
        expect(replayed.code, summaryOf(replayed)).toBe(0);
        expect(replayed.report.verdict).toBe('pass');
      }
    },
  );
});

describe('a receiver that', () => {
  it('only adds to a total is caught, although no row is added', async () => {
    const receiver = await startReceiverProcess(folder, ['naive', '--port', '0', '--total-only']);
    const replayed = await replay(folder, [ONE, '--to', receiver.url, '--effect', `sqlite:${receiver.db}`, ...FAST]);
    expect(replayed.code, summaryOf(replayed)).toBe(1);
    expect(brokenChecks(replayed)).toEqual(['no-second-effect']);
  });
});
