import type { ArrivalDesk } from '../model/corpus.ts';
import type { Clock } from '../support/clock.ts';
import { messageOf } from '../support/errors.ts';

export type Indexing = {
  /** So many have come and are to be indexed when there is time. */
  readonly came: (count: number) => void;
  /** Indexes what is left, but no longer than a bound; whoever opens the corpus next does the rest. */
  readonly finish: () => Promise<void>;
};

type IndexingPorts = {
  readonly index: ArrivalDesk['index'];
  readonly clock: Clock;
  readonly warn: (text: string) => void;
};

/** Nothing came for so long: deliveries have the first claim on the disk. */
const PAUSE_MS = 100;
/** What a delivery that comes now may have to wait for, about 5 ms. */
const BATCH = 50;
const FINISH_MS = 2000;
/** More than this waits for no pause: whoever reads the corpus next would have to wait instead, for about five seconds here. */
const MOST_WAITING = 50_000;

/** Makes events of arrivals while no delivery is waiting, and while too many arrivals are. */
export function indexInPauses({ index, clock, warn }: IndexingPorts): Indexing {
  const over = new AbortController();
  let lastMs = 0;
  let waiting = 0;
  let running = false;
  const tryIndex = async (): Promise<boolean> => {
    try {
      return await index(BATCH);
    } catch (error) {
      warn(`What was captured is stored, but not indexed yet: ${messageOf(error)}`);
      return false;
    }
  };
  const run = async () => {
    running = true;
    while (waiting > 0 && !over.signal.aborted) {
      if (waiting <= MOST_WAITING) {
        const idleMs = clock.now() - lastMs;
        await clock.sleep(Math.max(1, PAUSE_MS - idleMs), over.signal);
        if (over.signal.aborted || clock.now() - lastMs < PAUSE_MS) continue;
      }
      const seen = waiting;
      // What comes meanwhile is not among those that it found or failed at.
      waiting = (await tryIndex()) ? Math.max(1, waiting - BATCH) : waiting - seen;
    }
    running = false;
  };
  return {
    came: (count) => {
      lastMs = clock.now();
      waiting += count;
      if (!running) void run();
    },
    finish: async () => {
      over.abort();
      const untilMs = clock.now() + FINISH_MS;
      while (clock.now() < untilMs && (await tryIndex())) {}
    },
  };
}
