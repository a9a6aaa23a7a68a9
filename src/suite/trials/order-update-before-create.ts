import { withUpdates } from '../availability.ts';
import { chain, deliver, onceEach } from '../build.ts';
import type { TrialDefinition } from '../trial-definition.ts';

export const orderUpdateBeforeCreate: TrialDefinition = {
  id: 'order.update-before-create',
  title: 'An update that arrives before what it updates was created ends as in order',
  material: 'updates',
  needsEffects: true,
  availability: withUpdates,
  // Nothing comes behind the creation that could repair what it did.
  script: ({ events: [create, ...updates] }) => {
    if (!create || updates.length === 0) return { rounds: 1, acts: [] };
    const order = [...updates, create].map((event) => deliver(event));
    return { rounds: 1, acts: [onceEach(chain(order), { reorders: true })] };
  },
};
