/** The only gate to time. Milliseconds everywhere; `now` is monotonic, `epochMs` is the wall clock. */
export type Clock = {
  readonly now: () => number;
  readonly epochMs: () => number;
  /** Never wakes early. Ends at once, without an error, when the signal fires. */
  readonly sleep: (ms: number, signal?: AbortSignal) => Promise<void>;
  /** Lets one turn of the event loop pass, for spinning up to an instant. Absent on a clock that moves only when someone sleeps. */
  readonly turn?: (() => Promise<void>) | undefined;
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
  turn: () => new Promise((resolve) => setImmediate(resolve)),
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

/** Time that moves only when someone sleeps; sleepers wake one by one, in the order of their due times. */
export function virtualClock(startEpochMs = 1_700_000_000_000): Clock {
  let nowMs = 0;
  let moving = false;
  const sleepers: Sleeper[] = [];
  const move = () => {
    const next = sleepers.shift();
    moving = next !== undefined;
    if (!next) return;
    nowMs = Math.max(nowMs, next.dueMs);
    next.wake();
    setImmediate(move);
  };
  return {
    now: () => nowMs,
    epochMs: () => startEpochMs + Math.floor(nowMs),
    sleep: (ms, signal) =>
      new Promise((resolve) => {
        if (signal?.aborted) return resolve();
        const wake = () => {
          signal?.removeEventListener('abort', giveUp);
          resolve();
        };
        const sleeper = { dueMs: nowMs + Math.max(0, ms), wake };
        const later = sleepers.findIndex(({ dueMs }) => dueMs > sleeper.dueMs);
        sleepers.splice(later < 0 ? sleepers.length : later, 0, sleeper);
        const giveUp = () => {
          const place = sleepers.indexOf(sleeper);
          if (place >= 0) sleepers.splice(place, 1);
          resolve();
        };
        signal?.addEventListener('abort', giveUp, { once: true });
        // What was started in this turn may still want to sleep less.
        if (!moving) setImmediate(move);
        moving = true;
      }),
  };
}

type Sleeper = { readonly dueMs: number; readonly wake: () => void };

/** ISO-8601 UTC with milliseconds. */
export function isoTime(epochMs: number): string {
  return new Date(epochMs).toISOString();
}
