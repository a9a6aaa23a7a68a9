import type { Redis } from 'ioredis';
import type { Row } from '../model/effect.ts';
import { ProbeError } from '../support/errors.ts';
import { type BullJob, type BullState, NO_EVENT, readBullJobs, readBullState } from './bull-state.ts';
import { nameOfBytes } from './redis-values.ts';

/** One queue of BullMQ over time. */
export type BullQueue = {
  readonly read: (client: Redis) => Promise<void>;
  /** Every job that was added since the queue was first seen, also when it is done and removed by now. */
  readonly jobs: () => readonly Row[];
  /** How many jobs are in which state; of the finished ones how many there ever were, since old ones are removed. */
  readonly counts: () => Row;
  /** True while a worker is at a job. */
  readonly isBusy: () => boolean;
};

/** A queue that came into being while we look: all of its jobs are new. @param name with its prefix, as latin1: `bull:emails` */
export function newBullQueue(name: string): BullQueue {
  return follow(name, { ids: undefined, isPaused: false, lastEvent: NO_EVENT, isFleeting: false });
}

/** A queue that was there before us: what it holds is taken for granted. */
export async function existingBullQueue(name: string, client: Redis): Promise<BullQueue> {
  const state = await readBullState(client, name);
  return follow(name, { ...state, isFleeting: hasLostFinished(state) });
}

type Start = Pick<BullState, 'isPaused' | 'lastEvent'> & {
  readonly ids: BullState['ids'] | undefined;
  /** True when finished jobs are removed: whether their data is seen is chance, so it is left out. */
  readonly isFleeting: boolean;
};

function follow(name: string, start: Start): BullQueue {
  const queue = nameOfBytes(Buffer.from(name, 'latin1')).replace(/^bull:/, '');
  const jobs: Row[] = [];
  const timesAdded = new Map(allIds(start.ids).map((id) => [id, 1]));
  const ended = { completed: start.ids?.completed.length ?? 0, failed: start.ids?.failed.length ?? 0 };
  // Active since before us: perhaps for ever, since their worker died.
  const abandoned = new Set(start.ids?.active);
  let { ids, isPaused, lastEvent, isFleeting } = start;

  const add = (id: string, job: Partial<BullJob>) => {
    const times = (timesAdded.get(id) ?? 0) + 1;
    timesAdded.set(id, times);
    const data = isFleeting || job.data === undefined ? {} : { data: job.data };
    const key = `${queue}/${times === 1 ? id : `${id} (${times})`}`;
    jobs.push({ key, cells: { queue, id, name: job.name ?? null, ...data } });
  };

  return {
    read: async (client) => {
      const state = await readBullState(client, name, lastEvent);
      if (state.hasGap) throw eventsLost(queue);
      const added = state.events.filter(({ event }) => event === 'added');
      const told = new Set(added.map(({ id }) => id));
      // Where no event tells of it: Bull, and BullMQ without its events.
      const silent = allIds(state.ids).filter((id) => !timesAdded.has(id) && !told.has(id));
      const found = await readBullJobs(client, name, [...told, ...silent]);
      isFleeting ||= hasLostFinished(state) || [...told].some((id) => !found.has(id));
      for (const job of added) add(job.id, { ...found.get(job.id), name: job.name });
      for (const id of silent) add(id, found.get(id) ?? {});
      for (const { event } of state.events) if (event === 'completed' || event === 'failed') ended[event]++;
      ({ ids, isPaused, lastEvent } = state);
    },
    jobs: () => jobs,
    counts: () => ({
      key: queue,
      cells: countsOf({ ids, isPaused, ended: lastEvent === NO_EVENT ? undefined : ended }),
    }),
    isBusy: () => ids?.active.some((id) => !abandoned.has(id)) ?? false,
  };
}

function allIds(ids: BullState['ids'] | undefined): readonly string[] {
  return Object.values(ids ?? {}).flat();
}

function hasLostFinished({ ids, events }: BullState): boolean {
  const held = new Set(allIds(ids));
  return events.some(({ event, id }) => (event === 'completed' || event === 'failed') && !held.has(id));
}

type Counted = {
  readonly ids: BullState['ids'] | undefined;
  readonly isPaused: boolean;
  /** Absent where no event told of it. */
  readonly ended: { readonly completed: number; readonly failed: number } | undefined;
};

function countsOf({ ids, isPaused, ended }: Counted): Readonly<Record<string, number>> {
  const count = (place: keyof BullState['ids']) => ids?.[place].length ?? 0;
  return {
    waiting: isPaused ? 0 : count('wait'),
    active: count('active'),
    delayed: count('delayed'),
    prioritized: count('prioritized'),
    paused: count('paused') + (isPaused ? count('wait') : 0),
    completed: ended?.completed ?? count('completed'),
    failed: ended?.failed ?? count('failed'),
  };
}

function eventsLost(queue: string): ProbeError {
  return new ProbeError(`Events of the queue "${queue}" were removed before they could be read.`, {
    hint: 'More happened at once than the queue keeps (streams.events.maxLen of its options); replay fewer events.',
  });
}
