import { describe, expect, it } from 'vitest';
import type { Probe, SettleOptions } from '../../../src/model/effect.ts';
import { createObserver } from '../../../src/observe/observer.ts';
import { type Clock, systemClock, virtualClock } from '../../../src/support/clock.ts';
import { ProbeError } from '../../../src/support/errors.ts';

type FakeOptions = {
  /** When a row is added, on the clock. */
  readonly at: readonly number[];
  readonly name?: string;
  readonly versioned?: boolean;
  readonly readMs?: number;
};

/** A source whose rows appear at set times; it counts its reads and notices when two overlap. */
function fakeProbe(clock: Clock, { at, name = 'orders', versioned = false, readMs = 0 }: FakeOptions) {
  const seen = { reads: 0, versions: 0, overlaps: 0, closed: 0 };
  let open = 0;
  const due = () => at.filter((ms) => ms <= clock.now()).length;
  const probe: Probe = {
    name,
    source: `fake:${name}`,
    read: async () => {
      seen.reads++;
      if (open++ > 0) seen.overlaps++;
      const rows = Array.from({ length: due() }, (_, index) => ({ key: String(index), cells: { at: at[index] ?? 0 } }));
      await clock.sleep(readMs);
      open--;
      return { collections: [{ name, rows }] };
    },
    ...(versioned
      ? {
          version: async () => {
            seen.versions++;
            return String(due());
          },
        }
      : {}),
    close: async () => {
      seen.closed++;
    },
  };
  return { probe, seen };
}

const settling = (options: Partial<SettleOptions> = {}): SettleOptions => ({
  quietMs: 500,
  maxMs: 30_000,
  firstMs: 0,
  ...options,
});

describe('createObserver', () => {
  it.each([5, 1500, 4000, 4990])(
    'sees the effect that comes after %d ms when it waits for the first one',
    async (ms) => {
      const clock = virtualClock();
      const observer = createObserver([fakeProbe(clock, { at: [ms] }).probe], clock);
      await observer.begin();
      const seen = await observer.settle(settling({ firstMs: 5000 }));
      expect(seen.effects).toMatchObject([{ kind: 'added', effect: 'orders', collection: 'orders', key: '0' }]);
      expect(seen.quiet).toBe(true);
      expect(seen.firstChangeMs['orders']).toBeGreaterThanOrEqual(ms);
      expect(seen.firstChangeMs['orders']).toBeLessThanOrEqual(ms + 251);
      expect(clock.now()).toBeLessThanOrEqual(ms + 251 + 500 + 251);
    },
  );

  it('waits for every source: a row after 5 ms and a call after 2 s', async () => {
    const clock = virtualClock();
    const rows = fakeProbe(clock, { at: [5], name: 'orders' });
    const calls = fakeProbe(clock, { at: [2000], name: 'calls', versioned: true });
    const observer = createObserver([rows.probe, calls.probe], clock);
    await observer.begin();
    const seen = await observer.settle(settling({ firstMs: 5000 }));
    expect(seen.effects.map(({ effect }) => effect)).toEqual(['orders', 'calls']);
    expect(seen.firstChangeMs['orders']).toBeLessThan(100);
    expect(seen.firstChangeMs['calls']).toBeGreaterThanOrEqual(2000);
  });

  it('stops waiting for a source that never moves, and names no time for it', async () => {
    const clock = virtualClock();
    const observer = createObserver(
      [fakeProbe(clock, { at: [5] }).probe, fakeProbe(clock, { at: [], name: 'still' }).probe],
      clock,
    );
    await observer.begin();
    const seen = await observer.settle(settling({ firstMs: 5000 }));
    expect(seen.quiet).toBe(true);
    expect(Object.keys(seen.firstChangeMs)).toEqual(['orders']);
    expect(clock.now()).toBeGreaterThanOrEqual(5000);
    expect(clock.now()).toBeLessThan(5300);
  });

  it('believes no source before all are quiet', async () => {
    const clock = virtualClock();
    const busy = fakeProbe(clock, { at: [400, 800, 1200, 1600], name: 'busy' });
    const late = fakeProbe(clock, { at: [1900], name: 'late' });
    const observer = createObserver([busy.probe, late.probe], clock);
    await observer.begin();
    const seen = await observer.settle(settling());
    expect(seen.effects).toHaveLength(5);
    expect(seen.lastChangeMs['late']).toBeGreaterThanOrEqual(1900);
    expect(clock.now()).toBeGreaterThanOrEqual((seen.lastChangeMs['late'] ?? 0) + 500);
  });

  it('says that it was not quiet when the longest time has passed', async () => {
    const clock = virtualClock();
    const restless = fakeProbe(clock, { at: Array.from({ length: 100 }, (_, index) => index * 300) });
    const observer = createObserver([restless.probe], clock);
    await observer.begin();
    const seen = await observer.settle(settling({ maxMs: 2000 }));
    expect(seen.quiet).toBe(false);
    expect(seen.effects.length).toBeGreaterThan(3);
    expect(clock.now()).toBeLessThanOrEqual(2001);
  });

  it('may be asked to wait longer, and keeps what it saw', async () => {
    const clock = virtualClock();
    const observer = createObserver([fakeProbe(clock, { at: [100, 1000] }).probe], clock);
    await observer.begin();
    const first = await observer.settle(settling());
    expect(first.effects).toHaveLength(1);
    const second = await observer.settle(settling({ quietMs: 1500 }));
    expect(second.effects).toHaveLength(2);
    expect(second.firstChangeMs).toEqual(first.firstChangeMs);
    expect(second.lastChangeMs['orders']).toBeGreaterThanOrEqual(1000);
  });

  it('does not count quiet from before it was asked', async () => {
    const clock = virtualClock();
    const observer = createObserver([fakeProbe(clock, { at: [10_300] }).probe], clock);
    await observer.begin();
    await clock.sleep(10_000);
    expect((await observer.settle(settling())).effects).toHaveLength(1);
  });

  it('starts over with begin', async () => {
    const clock = virtualClock();
    const observer = createObserver([fakeProbe(clock, { at: [100, 5000] }).probe], clock);
    await observer.begin();
    await observer.settle(settling());
    await observer.begin();
    const nothing = await observer.settle(settling());
    expect(nothing).toEqual({ effects: [], firstChangeMs: {}, lastChangeMs: {}, quiet: true });
    await clock.sleep(5000);
    expect((await observer.settle(settling())).effects).toHaveLength(1);
  });

  it('counts times from the origin it was given', async () => {
    const clock = virtualClock();
    await clock.sleep(70_000);
    const observer = createObserver([fakeProbe(clock, { at: [70_100] }).probe], clock, { originMs: 70_000 });
    await observer.begin();
    const { firstChangeMs } = await observer.settle(settling());
    expect(firstChangeMs['orders']).toBeGreaterThanOrEqual(100);
    expect(firstChangeMs['orders']).toBeLessThan(400);
  });

  it('looks often after a change and more and more seldom without one', async () => {
    const clock = virtualClock();
    const { probe, seen } = fakeProbe(clock, { at: [] });
    const observer = createObserver([probe], clock);
    await observer.begin();
    await observer.settle(settling({ quietMs: 10_000 }));
    expect(seen.reads).toBeGreaterThan(10_000 / 250);
    expect(seen.reads).toBeLessThan(10_000 / 250 + 10);
  });

  it('reads a source with a version only when that has changed', async () => {
    const clock = virtualClock();
    const { probe, seen } = fakeProbe(clock, { at: [700], versioned: true });
    const observer = createObserver([probe], clock);
    await observer.begin();
    expect((await observer.settle(settling({ firstMs: 5000 }))).effects).toHaveLength(1);
    expect(seen.reads).toBe(2);
    expect(seen.versions).toBeGreaterThan(5);
  });

  it('never reads a source twice at a time, and leaves a slow one as long as it took', async () => {
    const clock = virtualClock();
    const slow = fakeProbe(clock, { at: [100], readMs: 2000 });
    const observer = createObserver([slow.probe], clock);
    await observer.begin();
    const [one, two] = await Promise.all([observer.settle(settling()), observer.settle(settling())]);
    expect(slow.seen.overlaps).toBe(0);
    expect([one?.effects.length, two?.effects.length]).toEqual([1, 1]);
    expect(slow.seen.reads).toBeLessThan(10);
  });

  it('names the source that dies, and passes on what to do', async () => {
    const clock = virtualClock();
    const { probe } = fakeProbe(clock, { at: [] });
    let dead = false;
    const dying: Probe = {
      ...probe,
      name: 'ledger',
      read: async () => {
        if (dead) throw new ProbeError('The file is gone.', { hint: 'Bring it back.' });
        return await probe.read();
      },
    };
    const observer = createObserver([probe, dying], clock);
    await observer.begin();
    dead = true;
    await expect(observer.settle(settling())).rejects.toMatchObject({
      code: 'SOURCE_UNREADABLE',
      exitCode: 3,
      message: expect.stringMatching(/"ledger".*The file is gone\./),
      hint: 'Bring it back.',
    });
  });

  it('leaves an error that is no trouble of the source as it is', async () => {
    const clock = virtualClock();
    const { probe } = fakeProbe(clock, { at: [] });
    const bug = new TypeError('x is not a function');
    const observer = createObserver([{ ...probe, read: () => Promise.reject(bug) }], clock);
    await expect(observer.begin()).rejects.toBe(bug);
  });

  it('ends at once when interrupted, also while a source is being read', async () => {
    const { probe } = fakeProbe(virtualClock(), { at: [] });
    let reads = 0;
    const stuck: Probe = {
      ...probe,
      read: async () => (++reads === 1 ? await probe.read() : await new Promise<never>(() => {})),
    };
    const observer = createObserver([stuck], systemClock);
    await observer.begin();
    const interruption = new AbortController();
    const settled = observer.settle(settling({ signal: interruption.signal }));
    interruption.abort();
    expect((await settled).quiet).toBe(false);
  });

  it('closes every source, also when one cannot be closed', async () => {
    const clock = virtualClock();
    const good = fakeProbe(clock, { at: [] });
    const bad: Probe = { ...fakeProbe(clock, { at: [] }).probe, close: () => Promise.reject(new Error('no')) };
    await createObserver([bad, good.probe], clock).close();
    expect(good.seen.closed).toBe(1);
  });

  it('has nothing to wait for without a source', async () => {
    const observer = createObserver([], virtualClock());
    await observer.begin();
    expect(await observer.settle(settling({ firstMs: 5000 }))).toMatchObject({ effects: [], quiet: true });
  });

  it('believes no quiet while something is in the middle of arriving', async () => {
    const clock = virtualClock();
    const { probe } = fakeProbe(clock, { at: [100, 4000] });
    const isBusy = () => clock.now() > 90 && clock.now() < 4100;
    const observer = createObserver([{ ...probe, isBusy }], clock);
    await observer.begin();
    const seen = await observer.settle(settling());
    expect(seen.effects).toHaveLength(2);
    expect(seen.quiet).toBe(true);
  });

  it('never calls it quiet when that does not end', async () => {
    const clock = virtualClock();
    const { probe } = fakeProbe(clock, { at: [100] });
    const observer = createObserver([{ ...probe, isBusy: () => true }], clock);
    await observer.begin();
    const seen = await observer.settle(settling({ maxMs: 3000 }));
    expect(seen.quiet).toBe(false);
    expect(seen.lastChangeMs['orders']).toBeGreaterThanOrEqual(2500);
    expect(seen.firstChangeMs['orders']).toBeLessThan(500);
  });
});
