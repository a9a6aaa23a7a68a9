import { withUpdates } from '../availability.ts';
import { chain, deliver, onceEach } from '../build.ts';
import type { TrialDefinition } from '../trial-definition.ts';

export const orderUpdateBeforeCreate: TrialDefinition = {
  id: 'order.update-before-create',
  title: 'An update that arrives before what it updates was created ends as in order',
  material: 'updates',
  needsEffects: true,
  availability: withUpdates,
  script: ({ events: [create, update, ...rest] }) => {
    if (!create || !update) return { rounds: 1, acts: [] };
    return {
      rounds: 1,
      acts: [onceEach(chain([update, create, ...rest].map((event) => deliver(event))), { reorders: true })],
    };
  },
};
