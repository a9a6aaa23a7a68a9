import type { SendOptions } from '../model/attempt.ts';

/** Longer timers would overflow and fire at once; 24 days are for ever. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** Calls back once: when the timeout has passed from now on, or when the caller gives up. Returns what stops the wait. */
export function startLimit(
  { timeoutMs, signal }: SendOptions,
  expire: (why: 'timeout' | 'aborted') => void,
): () => void {
  const onTimeout = () => end('timeout');
  const onAbort = () => end('aborted');
  const timer = timeoutMs > 0 ? setTimeout(onTimeout, Math.min(Math.ceil(timeoutMs), LONGEST_TIMER_MS)) : undefined;
  const stop = () => {
    clearTimeout(timer);
    signal?.removeEventListener('abort', onAbort);
  };
  const end = (why: 'timeout' | 'aborted') => {
    stop();
    expire(why);
  };
  if (signal?.aborted) end('aborted');
  else signal?.addEventListener('abort', onAbort, { once: true });
  return stop;
}
