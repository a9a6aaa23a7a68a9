import type { Clock } from '../support/clock.ts';

/** Timers are late by a millisecond or more; from here on only spinning keeps the time. */
const SPIN_MS = 2;

export type Pacer = {
  /** Asks for one wake-up at this reading of the clock; an earlier one that is already asked for stands. */
  readonly wakeAt: (dueMs: number) => void;
  readonly stop: () => void;
};

/** Wakes when something is due: never early, and within microseconds where the clock can spin. */
export function createPacer(clock: Clock, wake: () => void): Pacer {
  let asked: { readonly dueMs: number; readonly cancel: AbortController } | undefined;
  const stop = () => {
    asked?.cancel.abort();
    asked = undefined;
  };
  return {
    wakeAt: (dueMs) => {
      if (asked && asked.dueMs <= dueMs) return;
      stop();
      const cancel = new AbortController();
      asked = { dueMs, cancel };
      void waitUntil(dueMs, clock, cancel.signal).then(() => {
        if (cancel.signal.aborted) return;
        asked = undefined;
        wake();
      });
    },
    stop,
  };
}

async function waitUntil(dueMs: number, clock: Clock, signal: AbortSignal): Promise<void> {
  const coarseMs = dueMs - clock.now() - (clock.turn ? SPIN_MS : 0);
  if (coarseMs > 0) await clock.sleep(coarseMs, signal);
  while (clock.turn && !signal.aborted && clock.now() < dueMs) await clock.turn();
}
