import type { Composed } from '../model/execution.ts';

/** Deliveries go to each of several instances in turn, whatever they are: a copy never meets the instance that had the one before it. */
export function spread<T>(compose: (sending: T) => Composed, origins: readonly string[]): (sending: T) => Composed {
  if (origins.length < 2) return compose;
  let next = 0;
  return (sending) => {
    const { request, ...rest } = compose(sending);
    const origin = origins[next++ % origins.length] as string;
    return { ...rest, request: { ...request, url: new URL(request.target, origin) } };
  };
}
