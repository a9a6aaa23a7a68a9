import type { Clock } from '../support/clock.ts';
import type { StopReason } from './progress.ts';
import type { Traffic } from './traffic.ts';

export type EndConditions = {
  readonly interrupted: AbortSignal;
  /** After so many complete deliveries. */
  readonly exitAfter?: number | undefined;
  /** After so long without an open or a new request. */
  readonly idleMs?: number | undefined;
};

/** Waits for the first of the conditions; without any but the signal, for ever. */
export async function waitForEnd(conditions: EndConditions, traffic: Traffic, clock: Clock): Promise<StopReason> {
  const over = new AbortController();
  try {
    return await Promise.race([
      interruption(conditions.interrupted),
      enough(conditions.exitAfter, traffic),
      idleness(conditions.idleMs, { traffic, clock, over: over.signal }),
    ]);
  } finally {
    over.abort();
  }
}

function interruption(signal: AbortSignal): Promise<StopReason> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve('interrupted');
    signal.addEventListener('abort', () => resolve('interrupted'), { once: true });
  });
}

function enough(exitAfter: number | undefined, traffic: Traffic): Promise<StopReason> {
  return new Promise((resolve) => {
    if (exitAfter === undefined) return;
    traffic.onEnd(() => {
      if (traffic.complete() >= exitAfter) resolve('exit-after');
    });
  });
}

type Idleness = { readonly traffic: Traffic; readonly clock: Clock; readonly over: AbortSignal };

async function idleness(idleMs: number | undefined, { traffic, clock, over }: Idleness): Promise<StopReason> {
  if (idleMs === undefined) return new Promise(() => {});
  for (;;) {
    const left = traffic.open() > 0 ? idleMs : traffic.lastMs() + idleMs - clock.now();
    if (left <= 0 || over.aborted) return 'idle';
    await clock.sleep(left, over);
  }
}
