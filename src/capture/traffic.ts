import type { Clock } from '../support/clock.ts';
import type { CaptureCounts, CaptureProgress } from './progress.ts';

/** What is going on at the moment, and what went on so far. */
export type Traffic = {
  /** A request's head has arrived; call the returned function once when its exchange is over. */
  readonly begin: () => (end: 'complete' | 'other') => void;
  readonly count: (progress: CaptureProgress) => void;
  readonly counts: () => CaptureCounts;
  /** Requests that are open now. */
  readonly open: () => number;
  /** Deliveries that came whole, were stored, and whose exchange is over. */
  readonly complete: () => number;
  /** When something last began or ended, on the clock. */
  readonly lastMs: () => number;
  /** Called after each exchange that is over. */
  readonly onEnd: (listen: () => void) => void;
};

export function trackTraffic(clock: Clock): Traffic {
  const counts = { captured: 0, incomplete: 0, forwarded: 0, notDelivered: 0, rejected: 0, notStored: 0 };
  const listeners: Array<() => void> = [];
  let open = 0;
  let complete = 0;
  let lastMs = clock.now();
  return {
    begin: () => {
      open += 1;
      lastMs = clock.now();
      return (end) => {
        open -= 1;
        if (end === 'complete') complete += 1;
        lastMs = clock.now();
        for (const listen of listeners) listen();
      };
    },
    count: (progress) => countIn(counts, progress),
    counts: () => ({ ...counts }),
    open: () => open,
    complete: () => complete,
    lastMs: () => lastMs,
    onEnd: (listen) => void listeners.push(listen),
  };
}

type Mutable<T> = { -readonly [Key in keyof T]: T[Key] };

function countIn(counts: Mutable<CaptureCounts>, progress: CaptureProgress): void {
  if (progress.kind === 'captured') {
    counts.captured += 1;
    if (progress.marks.includes('incomplete')) counts.incomplete += 1;
  } else if (progress.kind === 'forwarded') {
    if (progress.answer.kind === 'answered') counts.forwarded += 1;
    else counts.notDelivered += 1;
  } else if (progress.kind === 'rejected') {
    counts.rejected += 1;
    if (progress.reason === 'not-stored') counts.notStored += 1;
  }
}
