import type { Stretch } from '../judge/evidence.ts';
import type { ObservedSource } from '../model/run.ts';
import type { Courier } from './courier.ts';

/** The sources, and what a baseline changed in each. */
export function observedSources(courier: Courier, baseline: Stretch | undefined): readonly ObservedSource[] {
  return (courier.ports.observer?.sources ?? []).map(({ name, source }) => {
    const effects = baseline?.effects.filter(({ effect }) => effect === name) ?? [];
    const count = (kind: string) => effects.filter((effect) => effect.kind === kind).length;
    return {
      id: name,
      source,
      baseline: { added: count('added'), changed: count('changed'), removed: count('removed') },
    };
  });
}
