import { withChange } from '../availability.ts';
import { chain, deliver, onceEach } from '../build.ts';
import type { TrialDefinition } from '../trial-definition.ts';

export const duplicateReserialised: TrialDefinition = {
  id: 'duplicate.reserialised',
  title: 'An event that arrives again with the same content in other bytes has one effect',
  material: 'single',
  needsEffects: true,
  availability: withChange('reserialised'),
  script: ({ events: [event] }) => ({
    rounds: 1,
    acts: event ? [onceEach(chain([deliver(event), deliver(event, { copy: 2, change: 'reserialised' })]))] : [],
  }),
};
