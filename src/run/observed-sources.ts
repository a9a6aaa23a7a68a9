import type { ObservedSource } from '../model/run.ts';
import type { KnownBaseline } from './baseline.ts';
import type { Courier } from './courier.ts';

/** The sources, and what the baseline changed in each. */
export function observedSources(courier: Courier, baseline: KnownBaseline | undefined): readonly ObservedSource[] {
  return (courier.ports.observer?.sources ?? []).map(({ name, source }) => {
    const effects = baseline?.stretches[1].effects.filter(({ effect }) => effect === name) ?? [];
    const count = (kind: string) => effects.filter((effect) => effect.kind === kind).length;
    return {
      id: name,
      source,
      baseline: { added: count('added'), changed: count('changed'), removed: count('removed') },
    };
  });
}
