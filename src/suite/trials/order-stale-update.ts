import { withUpdates } from '../availability.ts';
import { chain, deliver, onceEach } from '../build.ts';
import type { TrialDefinition } from '../trial-definition.ts';

export const orderStaleUpdate: TrialDefinition = {
  id: 'order.stale-update',
  title: 'An older update that arrives behind a newer one changes nothing',
  material: 'updates',
  needsEffects: true,
  availability: withUpdates,
  script: ({ events }) => {
    const [newest, older, ...earlier] = events.toReversed();
    if (!newest || !older) return { rounds: 1, acts: [] };
    const order = [...earlier.reverse(), newest, older];
    return { rounds: 1, acts: [onceEach(chain(order.map((event) => deliver(event))), { reorders: true })] };
  },
};
