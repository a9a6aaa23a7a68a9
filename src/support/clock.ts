import { performance } from 'node:perf_hooks';

/** The only gate to time. Milliseconds everywhere; `now` is monotonic, `epochMs` is the wall clock. */
export type Clock = {
  readonly now: () => number;
  readonly epochMs: () => number;
  /** Never wakes early. Ends at once, without an error, when the signal fires. */
  readonly sleep: (ms: number, signal?: AbortSignal) => Promise<void>;
};

/** Timers fire up to a millisecond early when their delay is fractional, so the rest is waited for again. */
export const systemClock: Clock = {
  now: () => performance.now(),
  epochMs: () => Date.now(),
  sleep: async (ms, signal) => {
    const until = performance.now() + ms;
    for (let left = ms; left > 0 && !signal?.aborted; left = until - performance.now()) {
      await timeout(Math.min(Math.ceil(left), 2 ** 31 - 1), signal);
    }
  },
};

function timeout(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    signal?.addEventListener('abort', done, { once: true });
  });
}

/** Time that moves only when someone sleeps; sleepers wake in the order of their due times. */
export function virtualClock(startEpochMs = 1_700_000_000_000): Clock {
  let nowMs = 0;
  return {
    now: () => nowMs,
    epochMs: () => startEpochMs + Math.floor(nowMs),
    sleep: async (ms) => {
      const due = nowMs + Math.max(0, ms);
      await new Promise<void>((resolve) => setImmediate(resolve));
      nowMs = Math.max(nowMs, due);
    },
  };
}

/** ISO-8601 UTC with milliseconds. */
export function isoTime(epochMs: number): string {
  return new Date(epochMs).toISOString();
}
