import type { Observer } from '../model/effect.ts';
import { createObserver } from '../observe/observer.ts';
import { openProbes, type ProbeSet } from '../observe/sources.ts';
import type { Context } from './context.ts';

type Sources = {
  /** Every `--effect`. */
  readonly effects: readonly string[];
  /** The same where some of them are open already. */
  readonly probes?: ProbeSet | undefined;
};

/** Opens every `--effect`; `undefined` when there is none. */
export async function openObserver({ effects, probes }: Sources, context: Context): Promise<Observer | undefined> {
  if (effects.length === 0) return undefined;
  const { cwd, env, clock } = context;
  return createObserver(await (probes?.openAll() ?? openProbes(effects, { cwd, env, clock })), clock);
}
