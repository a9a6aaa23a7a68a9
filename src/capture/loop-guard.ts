import { createHash } from 'node:crypto';
import type { Headers } from '../model/event.ts';

export type LoopGuard = {
  /** True for a request that this very process has forwarded. */
  readonly isEcho: (headers: Headers) => boolean;
  /** Headers to add to a request that is about to be forwarded. */
  readonly marksFor: (payload: Uint8Array) => Headers;
};

/** Named by us, so that two captures in a row are no loop. */
export const HOP_HEADER = 'X-Webhook-Replay-Hop';

/** A body passed on this often looks like a loop. Until then nothing is added, so that the receiver gets the sender's headers and no others. */
const SUSPECT_AFTER = 10;

/** How many different bodies are remembered. */
const REMEMBERED = 1000;

/** Stops a loop through another hop: what comes back to us with our mark is refused. */
export function loopGuard(instance: string): LoopGuard {
  const times = new Map<string, number>();
  return {
    isEcho: (headers) => headers.some(([name, value]) => isHop(name) && value === instance),
    marksFor: (payload) => {
      const digest = createHash('sha256').update(payload).digest('base64');
      const count = (times.get(digest) ?? 0) + 1;
      times.delete(digest);
      times.set(digest, count);
      if (times.size > REMEMBERED) times.delete(times.keys().next().value as string);
      return count > SUSPECT_AFTER ? [[HOP_HEADER, instance]] : [];
    },
  };
}

function isHop(name: string): boolean {
  return name.toLowerCase() === HOP_HEADER.toLowerCase();
}
