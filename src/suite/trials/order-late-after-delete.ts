import { withDeletion } from '../availability.ts';
import { chain, deliver, onceEach } from '../build.ts';
import type { TrialDefinition } from '../trial-definition.ts';

export const orderLateAfterDelete: TrialDefinition = {
  id: 'order.late-after-delete',
  title: 'An older update that arrives behind the deletion does not bring the resource back',
  material: 'deletion',
  needsEffects: true,
  availability: withDeletion,
  script: ({ events }) => {
    const [deletion, update, ...earlier] = events.toReversed();
    if (!deletion || !update) return { rounds: 1, acts: [] };
    const order = [...earlier.reverse(), deletion, update];
    return { rounds: 1, acts: [onceEach(chain(order.map((event) => deliver(event))), { reorders: true })] };
  },
};
