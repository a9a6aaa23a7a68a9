import type { Observer } from '../model/effect.ts';
import { createObserver } from '../observe/observer.ts';
import { openProbes } from '../observe/sources.ts';
import type { Context } from './context.ts';

/** Opens every `--effect`; `undefined` when there is none. */
export async function openObserver(sources: readonly string[], { cwd, env, clock }: Context): Promise<Observer | undefined> {
  if (sources.length === 0) return undefined;
  return createObserver(await openProbes(sources, { cwd, env, clock }), clock);
}
