import { createHash } from 'node:crypto';
import type { Call } from './spy-call.ts';

/** True the first time that this very call is made: method, target, and idempotency key or else body. */
export type FirstCalls = (call: Call) => boolean;

export function createFirstCalls(): FirstCalls {
  const made = new Set<string>();
  return (call) => {
    const mark = markOf(call);
    const isNew = !made.has(mark);
    made.add(mark);
    return isNew;
  };
}

function markOf({ method, target, body, cells }: Call): string {
  const same = cells['idempotency-key'] ?? createHash('sha256').update(body).digest('hex');
  return `${method} ${target} ${same}`;
}
