import { createHash } from 'node:crypto';
import type { Fault } from '../model/effect.ts';
import type { Call } from './spy-call.ts';

/** Which calls a spy lets fail. */
export type SpyFaults = {
  /** The next call fails, whatever it is. */
  readonly failNext: () => Fault;
  /** True when a fault waits for this call; it is used up by it. */
  readonly hits: () => boolean;
  /** True the first time that this very call is made: method, target, and idempotency key or else body. */
  readonly isFirst: (call: Call) => boolean;
};

export function createFaults(): SpyFaults {
  const waiting = new Set<{ hasHit: boolean }>();
  const made = new Set<string>();
  return {
    failNext: () => {
      const fault = { hasHit: false };
      waiting.add(fault);
      return { hasHit: () => fault.hasHit, lift: () => waiting.delete(fault) };
    },
    hits: () => {
      const [fault] = waiting;
      if (!fault) return false;
      waiting.delete(fault);
      fault.hasHit = true;
      return true;
    },
    isFirst: (call) => {
      const mark = markOf(call);
      const isNew = !made.has(mark);
      made.add(mark);
      return isNew;
    },
  };
}

function markOf({ method, target, body, cells }: Call): string {
  const same = cells['idempotency-key'] ?? createHash('sha256').update(body).digest('hex');
  return `${method} ${target} ${same}`;
}
