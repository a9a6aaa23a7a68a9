import type { Effect, Observation, Observer, Probe, SettleOptions, Snapshot } from '../model/effect.ts';
import type { Clock } from '../support/clock.ts';
import { ProbeError } from '../support/errors.ts';
import { diffSnapshots } from './diff.ts';

const FIRST_PAUSE_MS = 25;
const LONGEST_PAUSE_MS = 250;

export type ObserverOptions = {
  /** What the clock showed when the run's times began; observed times count from there. Default 0: the clock's own. */
  readonly originMs?: number | undefined;
};

/** All sources of a run as one. Reads never overlap, whoever asks. */
export function createObserver(probes: readonly Probe[], clock: Clock, options: ObserverOptions = {}): Observer {
  const watches = probes.map(watchOf);
  const now = () => clock.now() - (options.originMs ?? 0);
  let reading: Promise<unknown> = Promise.resolve();

  const inTurn = <T>(read: (watch: Watch) => Promise<T>): Promise<readonly T[]> => {
    const next = reading.then(() => ofAll(watches, read));
    reading = next.catch(() => {});
    return next;
  };

  /** True when any source changed since the last look, or is in the middle of something. */
  const look = async () => (await inTurn((watch) => lookAt(watch, now))).includes(true);

  return {
    sources: probes.map(({ name, source, url }) => ({ name, source, url })),
    begin: async () => {
      await inTurn((watch) => startOver(watch, now));
    },
    settle: (settling) => settle({ watches, look, now, clock }, settling),
    close: async () => {
      await Promise.allSettled(probes.map((probe) => probe.close()));
    },
  };
}

/** One source over time. */
type Watch = {
  readonly probe: Probe;
  /** As it was at `begin`. */
  start: Snapshot;
  latest: Snapshot;
  version: string | undefined;
  firstChangeMs: number | undefined;
  lastChangeMs: number | undefined;
};

const NOTHING: Snapshot = { collections: [] };

function watchOf(probe: Probe): Watch {
  return {
    probe,
    start: NOTHING,
    latest: NOTHING,
    version: undefined,
    firstChangeMs: undefined,
    lastChangeMs: undefined,
  };
}

/** Waits for every source, also when one fails: no read is left running behind. */
async function ofAll<T>(watches: readonly Watch[], read: (watch: Watch) => Promise<T>): Promise<readonly T[]> {
  const reads = await Promise.allSettled(
    watches.map((watch) => read(watch).catch((error: unknown) => Promise.reject(named(error, watch.probe.name)))),
  );
  return reads.map((result) => {
    if (result.status === 'rejected') throw result.reason;
    return result.value;
  });
}

async function startOver(watch: Watch, now: () => number): Promise<void> {
  const { moments, version } = watch.probe;
  if (moments) {
    watch.version = await version?.();
    watch.latest = await moments.hold();
  } else {
    await lookAt(watch, now);
  }
  watch.start = watch.latest;
  watch.firstChangeMs = undefined;
  watch.lastChangeMs = undefined;
}

async function lookAt(watch: Watch, now: () => number): Promise<boolean> {
  // Asked for before reading: what ends in between is read, or is busy still.
  const isBusy = watch.probe.isBusy?.() ?? false;
  const hasChanged = await readAnew(watch);
  if (!isBusy && !hasChanged) return false;
  watch.lastChangeMs = now();
  if (hasChanged) watch.firstChangeMs ??= watch.lastChangeMs;
  return true;
}

/** True when there is something new. */
async function readAnew(watch: Watch): Promise<boolean> {
  // Asked for before reading: a change in between shows as another version next time.
  const version = await watch.probe.version?.();
  if (version !== undefined && version === watch.version) return false;
  const hasChanged = await compareAnew(watch);
  watch.version = version;
  return hasChanged;
}

/** A source that keeps the earlier moment itself shows more of it as more of it changes. */
async function compareAnew(watch: Watch): Promise<boolean> {
  const { probe, start, latest } = watch;
  const { before, after } = (await probe.moments?.compare()) ?? { before: start, after: await probe.read() };
  const differs = (a: Snapshot, b: Snapshot) => diffSnapshots(a, b, probe.name).length > 0;
  if (!differs(latest, after) && !differs(start, before)) return false;
  watch.start = before;
  watch.latest = after;
  return true;
}

function named(error: unknown, name: string): unknown {
  if (!(error instanceof ProbeError)) return error;
  return new ProbeError(`The effect "${name}" cannot be observed: ${error.message}`, {
    ...(error.hint === undefined ? {} : { hint: error.hint }),
    cause: error,
  });
}

type Watching = {
  readonly watches: readonly Watch[];
  readonly look: () => Promise<boolean>;
  readonly now: () => number;
  readonly clock: Clock;
};

/** Looks, closely after a change and less and less often without one, until every source has been quiet long enough. */
async function settle({ watches, look, now, clock }: Watching, options: SettleOptions): Promise<Observation> {
  const { quietMs, maxMs, firstMs, signal } = options;
  const startMs = now();
  const deadlineMs = startMs + maxMs;
  let pauseMs = FIRST_PAUSE_MS;
  while (watches.length > 0) {
    const lookMs = now();
    const changed = await unlessAborted(look(), signal);
    if (changed === 'aborted') return observation(watches, false);
    const waitsForFirst = lookMs < startMs + firstMs && watches.some((watch) => watch.firstChangeMs === undefined);
    const quietAtMs = quietSince(watches, startMs) + quietMs;
    // What counts is when this look began: it knows nothing of what came later.
    if (!waitsForFirst && !changed && lookMs >= quietAtMs) return observation(watches, true);
    if (now() >= deadlineMs) return observation(watches, lookMs >= quietAtMs && !changed);
    pauseMs = changed ? FIRST_PAUSE_MS : Math.min(LONGEST_PAUSE_MS, pauseMs * 1.5);
    const dueMs = waitsForFirst ? Math.max(startMs + firstMs, quietAtMs) : quietAtMs;
    await clock.sleep(pauseTo({ nowMs: now(), pauseMs, costMs: now() - lookMs, dueMs, deadlineMs }), signal);
  }
  return observation(watches, true);
}

/** No quiet counts from before this settling: what it waits for may have been sent just now. */
function quietSince(watches: readonly Watch[], startMs: number): number {
  return Math.max(startMs, ...watches.map(({ lastChangeMs }) => lastChangeMs ?? startMs));
}

type Pause = {
  readonly nowMs: number;
  readonly pauseMs: number;
  /** How long the last look took: at most half of the time goes into looking. */
  readonly costMs: number;
  /** When quiet could be believed. */
  readonly dueMs: number;
  readonly deadlineMs: number;
};

function pauseTo({ nowMs, pauseMs, costMs, dueMs, deadlineMs }: Pause): number {
  const wanted = Math.max(pauseMs, Math.min(costMs, 4 * LONGEST_PAUSE_MS));
  const toDue = dueMs > nowMs ? dueMs - nowMs : wanted;
  return Math.max(1, Math.min(wanted, toDue, deadlineMs - nowMs));
}

/** A slow source must not hold up an interruption; its read goes on and the next look waits for it. */
async function unlessAborted(look: Promise<boolean>, signal: AbortSignal | undefined): Promise<boolean | 'aborted'> {
  if (!signal) return await look;
  let stop = () => {};
  const aborted = new Promise<'aborted'>((resolve) => {
    stop = () => resolve('aborted');
    if (signal.aborted) stop();
    signal.addEventListener('abort', stop, { once: true });
  });
  const first = await Promise.race([aborted, look]).finally(() => signal.removeEventListener('abort', stop));
  if (first === 'aborted') look.catch(() => {});
  return first;
}

function observation(watches: readonly Watch[], quiet: boolean): Observation {
  const effects: Effect[] = [];
  const firstChangeMs: Record<string, number> = {};
  const lastChangeMs: Record<string, number> = {};
  for (const { probe, start, latest, ...seen } of watches) {
    for (const effect of diffSnapshots(start, latest, probe.name)) effects.push(effect);
    if (seen.firstChangeMs !== undefined) firstChangeMs[probe.name] = seen.firstChangeMs;
    if (seen.lastChangeMs !== undefined) lastChangeMs[probe.name] = seen.lastChangeMs;
  }
  return { effects, firstChangeMs, lastChangeMs, quiet };
}
