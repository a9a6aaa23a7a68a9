import type { Redis } from 'ioredis';
import { nameOfBytes } from './redis-values.ts';

/** What BullMQ keeps of a queue, read at one moment. */
export type BullState = {
  /** Ids of jobs by the key that holds them. */
  readonly ids: Readonly<Record<Place, readonly string[]>>;
  /** True where waiting jobs are not handed out; until BullMQ 5 they are in another place then. */
  readonly isPaused: boolean;
  /** What was told since the last reading, oldest first. */
  readonly events: readonly BullEvent[];
  /** The id of the newest event; `0-0` when there never was one. */
  readonly lastEvent: string;
  /** True when events were trimmed before they could be read. */
  readonly hasGap: boolean;
};

export type BullEvent = { readonly event: string; readonly id: string; readonly name: string };

export type BullJob = { readonly name: string; readonly data: string };

const LISTS = ['wait', 'active', 'paused'] as const;
const ZSETS = ['delayed', 'prioritized', 'completed', 'failed', 'waiting-children'] as const;
type Place = (typeof LISTS)[number] | (typeof ZSETS)[number];

export const NO_EVENT = '0-0';
/** What BullMQ keeps unless told otherwise. */
const MOST_EVENTS = 10_000;
const LATEST_EVENTS = 500;

/** @param since an event's id; absent at the first look, which reads only the latest events */
export async function readBullState(client: Redis, queue: string, since?: string): Promise<BullState> {
  const key = keyMaker(queue);
  const asking = client.multi();
  for (const list of LISTS) asking.lrangeBuffer(key(list), 0, -1);
  for (const zset of ZSETS) asking.zrangeBuffer(key(zset), 0, -1);
  if (since === undefined) asking.xrevrangeBuffer(key('events'), '+', '-', 'COUNT', LATEST_EVENTS);
  else asking.xrangeBuffer(key('events'), idAfter(since), '+');
  asking
    .xrange(key('events'), '-', '+', 'COUNT', 1)
    .xlen(key('events'))
    .hmget(key('meta'), 'opts.maxLenEvents', 'paused');
  const answers = ((await asking.exec()) ?? []).map(([error, answer]) => {
    if (error) throw error;
    return answer;
  });
  const places = [...LISTS, ...ZSETS];
  const [entries, first, length, meta] = answers.slice(places.length);
  const [most, paused] = meta as readonly (string | null)[];
  const told = (entries as readonly Entry[]).map(eventOf);
  const events = since === undefined ? told.toReversed() : told;
  const [oldest] = (first as ReadonlyArray<readonly [string]>).map(([id]) => id);
  return {
    ids: Object.fromEntries(places.map((place, at) => [place, idsOf(answers[at])])) as BullState['ids'],
    events,
    isPaused: paused === '1',
    lastEvent: events.at(-1)?.at ?? since ?? NO_EVENT,
    hasGap:
      since !== undefined &&
      oldest !== undefined &&
      isLater(oldest, since) &&
      (length as number) >= (Number(most) || MOST_EVENTS),
  };
}

/** Those that are still there, by id. */
export async function readBullJobs(
  client: Redis,
  queue: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, BullJob>> {
  const key = keyMaker(queue);
  const asking = client.pipeline();
  for (const id of ids) asking.hmgetBuffer(key(id), 'name', 'data');
  const answers = ids.length === 0 ? [] : ((await asking.exec()) ?? []);
  const jobs = new Map<string, BullJob>();
  for (const [at, id] of ids.entries()) {
    const [error, answer] = answers[at] ?? [];
    if (error) throw error;
    const [name, data] = answer as readonly (Buffer | null)[];
    if (name && data) jobs.set(id, { name: nameOfBytes(name), data: nameOfBytes(data) });
  }
  return jobs;
}

function keyMaker(queue: string): (part: string) => Buffer {
  return (part) => Buffer.concat([Buffer.from(`${queue}:`, 'latin1'), Buffer.from(part, 'utf8')]);
}

/** Versions before 5 kept a marker among the waiting jobs. */
function idsOf(answer: unknown): readonly string[] {
  return (answer as readonly Buffer[]).map(nameOfBytes).filter((id) => !id.startsWith('0:'));
}

type Entry = readonly [id: Buffer, fields: readonly Buffer[]];

function eventOf([at, fields]: Entry): BullEvent & { readonly at: string } {
  const texts = fields.map(nameOfBytes);
  const field = (name: string) => texts.find((_text, index) => index % 2 === 1 && texts[index - 1] === name) ?? '';
  return { at: at.toString(), event: field('event'), id: field('jobId'), name: field('name') };
}

/** The smallest id behind this one. */
function idAfter(id: string): string {
  const [ms = '0', count = '0'] = id.split('-');
  return `${ms}-${BigInt(count) + 1n}`;
}

function isLater(id: string, than: string): boolean {
  const [[a = 0n, b = 0n], [c = 0n, d = 0n]] = [id, than].map((each) => each.split('-').map(BigInt)) as [
    bigint[],
    bigint[],
  ];
  return a > c || (a === c && b > d);
}
