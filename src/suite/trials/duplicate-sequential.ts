import { always } from '../availability.ts';
import { chain, deliver, onceEach } from '../build.ts';
import type { TrialDefinition } from '../trial-definition.ts';

export const duplicateSequential: TrialDefinition = {
  id: 'duplicate.sequential',
  title: 'An event that arrives twice, with the same bytes, has one effect',
  material: 'single',
  needsEffects: true,
  availability: always,
  script: ({ events: [event] }) => ({
    rounds: 1,
    acts: event ? [onceEach(chain([deliver(event), deliver(event, { copy: 2 })]))] : [],
  }),
};
