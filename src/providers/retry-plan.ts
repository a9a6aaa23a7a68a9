import type { Provider } from './provider.ts';

/** How a provider repeats a delivery that was refused or not answered. */
export type RetryPlan = {
  /** Waits before attempt 2, 3, ...; each counts from the failure before it. */
  readonly delaysMs: readonly number[];
  /** How long it waits for an answer. */
  readonly timeoutMs: number;
  /** What of this is no fact of the provider: `timeout`, `delays`. */
  readonly assumed: readonly ('timeout' | 'delays')[];
  /** False: it never retries by itself; the delays stand for people who redeliver by hand, and are assumed. */
  readonly automatic: boolean;
};

const ASSUMED_TIMEOUT_MS = 10_000;
const ASSUMED_DELAYS_SECONDS = [5, 300, 1800, 7200, 18_000, 36_000, 36_000];

const known = new WeakMap<Provider, RetryPlan>();

/** The provider's own facts, and assumed values (marked) where they are unknown. */
export function retryPlanOf(provider: Provider): RetryPlan {
  const plan = known.get(provider) ?? makeRetryPlan(provider);
  known.set(provider, plan);
  return plan;
}

function makeRetryPlan({ retry }: Provider): RetryPlan {
  const { automatic, delaysSeconds, timeoutSeconds } = retry;
  const seconds = delaysSeconds ?? assumedDelays(retry.maxAttempts);
  return {
    delaysMs: seconds.map((delay) => delay * 1000),
    timeoutMs: timeoutSeconds === undefined ? ASSUMED_TIMEOUT_MS : timeoutSeconds * 1000,
    assumed: [
      ...(timeoutSeconds === undefined ? (['timeout'] as const) : []),
      ...(delaysSeconds === undefined ? (['delays'] as const) : []),
    ],
    automatic,
  };
}

/** True when no attempt follows this answer: a 2xx, or a status after which this provider gives up. */
export function isFinal({ retry }: Provider, status: number): boolean {
  return (status >= 200 && status < 300) || (retry.finalStatuses?.includes(status) ?? false);
}

/** A known number of attempts holds; only the waits between them are assumed. */
function assumedDelays(maxAttempts = ASSUMED_DELAYS_SECONDS.length + 1): readonly number[] {
  const last = ASSUMED_DELAYS_SECONDS.at(-1) ?? 0;
  return Array.from({ length: maxAttempts - 1 }, (_, index) => ASSUMED_DELAYS_SECONDS[index] ?? last);
}
