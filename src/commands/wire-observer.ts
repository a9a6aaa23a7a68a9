import type { Observer, Probe } from '../model/effect.ts';
import { createObserver } from '../observe/observer.ts';
import { openProbes, type ProbeSet } from '../observe/sources.ts';
import type { Context } from './context.ts';
import type { DependencyCalls } from './test-receiver.ts';

type Sources = {
  /** Every `--effect`. */
  readonly effects: readonly string[];
  /** The same where some of them are open already. */
  readonly probes?: ProbeSet | undefined;
  /** What passes our stand-ins. */
  readonly calls: readonly DependencyCalls[];
};

/** Opens every `--effect`; `undefined` when there is nothing to observe. */
export async function openObserver(
  { effects, probes, calls }: Sources,
  context: Context,
): Promise<Observer | undefined> {
  if (effects.length === 0 && calls.length === 0) return undefined;
  const { cwd, env, clock } = context;
  const opened = await (probes?.openAll() ?? openProbes(effects, { cwd, env, clock }));
  const passing = calls.filter((each) => !opened.some((probe) => isBehind(probe, each)));
  const names = new Set(opened.map(({ name }) => name));
  const passingProbes = passing.map(({ name, probeAs }) => probeAs(names.has(name) ? `intercept:${name}` : name, name));
  return createObserver([...opened, ...passingProbes], clock);
}

const LOOPBACK = /^(localhost|127(\.\d+){3}|::1)$/;

/** The dependency is a spy of ours, which sees each call already: no call becomes two effects. */
function isBehind({ url }: Probe, { host, port }: DependencyCalls): boolean {
  return url !== undefined && LOOPBACK.test(host) && Number(new URL(url).port) === port;
}
