import { always } from '../availability.ts';
import { chain, deliver, onceEach } from '../build.ts';
import type { TrialDefinition } from '../trial-definition.ts';

const HINT = 'Answer a delivery that was handled already with 200: the provider only wants to know that it arrived.';

export const ackDuplicateStatus: TrialDefinition = {
  id: 'ack.duplicate-status',
  title: 'A duplicate is acknowledged with 2xx',
  material: 'single',
  needsEffects: false,
  availability: always,
  script: ({ events: [event] }) => ({
    rounds: 1,
    acts: event
      ? [onceEach(chain([deliver(event), deliver(event, { copy: 2 })]), { effects: 'any', answers: '2xx', hint: HINT })]
      : [],
  }),
};
