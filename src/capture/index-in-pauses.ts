import type { ArrivalDesk } from '../model/corpus.ts';
import type { Clock } from '../support/clock.ts';
import { messageOf } from '../support/errors.ts';

export type Indexing = {
  /** Something has come and is to be indexed when there is time. */
  readonly came: () => void;
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

/** Makes events of arrivals while no delivery is waiting. */
export function indexInPauses({ index, clock, warn }: IndexingPorts): Indexing {
  const over = new AbortController();
  let lastMs = 0;
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
    let more = true;
    while (more && !over.signal.aborted) {
      const idleMs = clock.now() - lastMs;
      await clock.sleep(Math.max(1, PAUSE_MS - idleMs), over.signal);
      if (!over.signal.aborted && clock.now() - lastMs >= PAUSE_MS) more = await tryIndex();
    }
    running = false;
  };
  return {
    came: () => {
      lastMs = clock.now();
      if (!running) void run();
    },
    finish: async () => {
      over.abort();
      const untilMs = clock.now() + FINISH_MS;
      while (clock.now() < untilMs && (await tryIndex())) {}
    },
  };
}
