import { onTestFinished } from 'vitest';
import type { Effect, Probe } from '../../src/model/effect.ts';
import { createObserver } from '../../src/observe/observer.ts';
import { openProbe } from '../../src/observe/sources.ts';
import { systemClock } from '../../src/support/clock.ts';

/** Opens a source for the length of the test. */
export async function openSource(source: string, cwd = '.'): Promise<Probe> {
  const probe = await openProbe(source, { cwd, env: {}, clock: systemClock });
  onTestFinished(() => probe.close());
  return probe;
}

/** What the probe saw of what was done, once it was quiet. */
export async function effectsOf(probe: Probe, act: () => unknown): Promise<readonly Effect[]> {
  const observer = createObserver([probe], systemClock);
  await observer.begin();
  await act();
  const { effects, quiet } = await observer.settle({ quietMs: 100, maxMs: 10_000, firstMs: 0 });
  if (!quiet) throw new Error('It never was quiet.');
  return effects;
}

/** `added orders 7`, for a short expectation. */
export function shortly(effects: readonly Effect[]): readonly string[] {
  return effects.map(({ kind, collection, key }) => `${kind} ${collection} ${key}`);
}
