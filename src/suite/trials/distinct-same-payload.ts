import { always } from '../availability.ts';
import { chain, deliver, onceEach } from '../build.ts';
import type { TrialDefinition } from '../trial-definition.ts';

export const distinctSamePayload: TrialDefinition = {
  id: 'distinct.same-payload',
  title: 'Two events that differ in their ids only have two effects',
  material: 'single',
  needsEffects: true,
  availability: always,
  failsWhenDropped: true,
  script: ({ events: [event] }) => ({
    rounds: 1,
    acts: event
      ? [onceEach(chain([deliver(event), deliver(event, { identity: 'b' })]), { identities: ['a', 'b'] })]
      : [],
  }),
};
