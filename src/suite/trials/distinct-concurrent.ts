import { withUpdates } from '../availability.ts';
import { chain, deliver, onceEach, together } from '../build.ts';
import type { TrialDefinition } from '../trial-definition.ts';

export const distinctConcurrent: TrialDefinition = {
  id: 'distinct.concurrent',
  title: 'Different events of one resource that arrive at the same moment all have their effect',
  material: 'updates',
  needsEffects: true,
  availability: withUpdates,
  script: ({ events: [first, ...rest] }) => {
    if (!first) return { rounds: 1, acts: [] };
    const create = chain([deliver(first)]);
    const updates = together(
      rest.map((event) => deliver(event)),
      create.at(-1)?.id,
    );
    return { rounds: 20, acts: [onceEach([...create, ...updates], { reorders: true })] };
  },
};
