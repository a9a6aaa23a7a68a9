import type { ObservedSource } from '../model/run.ts';
import { labelled } from './layout.ts';
import type { Style } from './style.ts';

/** Each source, and what it showed when everything was delivered once. */
export function observedLines(sources: readonly ObservedSource[], style: Style): readonly string[] {
  return sources.flatMap(({ id, source, baseline: { added, changed, removed } }) => {
    const parts = [added && `${added} added`, changed && `${changed} changed`, removed && `${removed} removed`];
    const seen = parts.filter(Boolean).join(', ') || 'nothing changed';
    return labelled('observed', `${id === source ? '' : `${id} = `}${source}: ${seen} in the baseline`, style);
  });
}
