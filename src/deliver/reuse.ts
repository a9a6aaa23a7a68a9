/**
 * How long a connection may lie idle before it is used again. Short, because a receiver may close an idle connection
 * at any moment, and a delivery that meets the close looks like one that the receiver dropped.
 */
export const REUSE_WITHIN_MS = 1000;

/** A receiver may close right behind its answer without having said so. Two turns later we have read that. */
export function whenReusable(free: () => void): void {
  setImmediate(() => setImmediate(free));
}
