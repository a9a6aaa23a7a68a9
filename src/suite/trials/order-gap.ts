import { withThreeUpdates } from '../availability.ts';
import { chain, deliver, onceEach } from '../build.ts';
import type { TrialDefinition } from '../trial-definition.ts';

const HINT =
  'Do not wait for ever for a version that may never come: apply the newest state at once, or after a bounded time, or fetch it from the provider. When the receiver does wait, and longer than --settle, raise that.';

export const orderGap: TrialDefinition = {
  id: 'order.gap',
  title: 'A version that never comes does not keep back the ones behind it',
  material: 'updates',
  needsEffects: true,
  availability: withThreeUpdates,
  script: ({ events }) => {
    const [last, missing, ...earlier] = events.toReversed();
    if (!last || !missing) return { rounds: 1, acts: [] };
    const before = earlier.reverse();
    const inOrder = (...played: typeof events) => chain(played.map((event) => deliver(event)));
    const references = [inOrder(...before), inOrder(...before, missing)] as const;
    return {
      rounds: 1,
      acts: [
        onceEach(inOrder(...before, last), { effects: 'gap', references, reorders: true, hint: HINT }),
        // Nothing else is held up by it.
        onceEach(chain(events.map((event) => deliver(event, { identity: 'b' }))), {
          identities: ['b'],
          name: 'of another resource, behind the gap',
        }),
      ],
    };
  },
};
