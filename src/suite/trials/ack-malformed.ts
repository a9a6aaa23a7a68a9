import { MALFORMED } from '../../mutate/changes/malformed.ts';
import { always } from '../availability.ts';
import { chain, deliver, noEffect, onceEach } from '../build.ts';
import type { TrialDefinition } from '../trial-definition.ts';

const HINT =
  'Answer 400 to what cannot be read: 5xx makes the provider send the same bytes again for days, and a crash takes other events with it.';

export const ackMalformed: TrialDefinition = {
  id: 'ack.malformed',
  title: 'Bodies that are no event are refused with 4xx, have no effect, and leave the receiver alive',
  material: 'single',
  needsEffects: false,
  availability: always,
  script: ({ events: [event] }) => {
    if (!event) return { rounds: 1, acts: [] };
    const broken = MALFORMED.map(({ id }, index) => deliver(event, { copy: index + 1, change: id }));
    return {
      rounds: 1,
      acts: [noEffect(chain(broken), { answers: '4xx', hint: HINT }), onceEach(chain([deliver(event)]))],
    };
  },
};
