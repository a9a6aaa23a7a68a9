import { describe, expect, it } from 'vitest';
import { indexInPauses } from '../../../src/capture/index-in-pauses.ts';
import { virtualClock } from '../../../src/support/clock.ts';

/** An index of so many arrivals, with the times at which batches were taken from it. */
function desk(arrivals: number, { tookMs = 5 } = {}) {
  const clock = virtualClock();
  const takenMs: number[] = [];
  const warnings: string[] = [];
  const state = { left: arrivals, fails: false };
  const index = async (limit: number) => {
    takenMs.push(clock.now());
    await clock.sleep(tookMs);
    if (state.fails) throw new Error('the disk is full');
    const isFull = state.left >= limit;
    state.left = Math.max(0, state.left - limit);
    return isFull;
  };
  const indexing = indexInPauses({ index, clock, warn: (text) => warnings.push(text) });
  return { clock, takenMs, warnings, state, indexing };
}

describe('arrivals are indexed', () => {
  it('after a pause of 100 ms, batch after batch until none is left', async () => {
    const { clock, takenMs, state, indexing } = desk(120);
    indexing.came(120);
    await clock.sleep(1000);
    expect(takenMs).toEqual([100, 106, 112]);
    expect(state.left).toBe(0);
  });

  it('not while more keep coming', async () => {
    const { clock, takenMs, state, indexing } = desk(20);
    for (let n = 0; n < 20; n++) {
      indexing.came(1);
      await clock.sleep(90);
      expect(takenMs).toEqual([]);
    }
    await clock.sleep(1000);
    expect(takenMs).toHaveLength(1);
    expect(state.left).toBe(0);
  });

  it('without a pause when more than 50,000 wait', async () => {
    const { clock, takenMs, state, indexing } = desk(50_200);
    for (let n = 0; n < 502; n++) indexing.came(100);
    for (let n = 0; n < 50; n++) {
      await clock.sleep(10);
      indexing.came(0);
    }
    // Down to the bound; the rest waits for the pause.
    expect(takenMs).toHaveLength(4);
    expect(state.left).toBe(50_000);
  });

  it('also when they came while the last batch was being written', async () => {
    const { clock, takenMs, state, indexing } = desk(1);
    indexing.came(1);
    await clock.sleep(102);
    expect(takenMs).toHaveLength(1);
    state.left += 1;
    indexing.came(1);
    await clock.sleep(1000);
    expect(state.left).toBe(0);
    expect(takenMs).toHaveLength(2);
  });

  it('again at the next arrival after a failure, which is told', async () => {
    const { clock, takenMs, warnings, state, indexing } = desk(2);
    state.fails = true;
    indexing.came(1);
    await clock.sleep(1000);
    expect(takenMs).toHaveLength(1);
    expect(warnings).toEqual(['What was captured is stored, but not indexed yet: the disk is full']);
    state.fails = false;
    indexing.came(1);
    await clock.sleep(1000);
    expect(state.left).toBe(0);
  });
});

describe('at the end', () => {
  it('what is left is indexed at once', async () => {
    const { clock, takenMs, state, indexing } = desk(120);
    indexing.came(120);
    await indexing.finish();
    expect(state.left).toBe(0);
    expect(takenMs).toEqual([0, 5, 10]);
    await clock.sleep(1000);
    expect(takenMs).toHaveLength(3);
  });

  it('it takes no longer than two seconds: whoever opens the corpus next does the rest', async () => {
    const { clock, state, indexing } = desk(10_000, { tookMs: 300 });
    indexing.came(10_000);
    await indexing.finish();
    expect(clock.now()).toBe(2100);
    expect(state.left).toBe(10_000 - 7 * 50);
  });
});
