import { withChange } from '../availability.ts';
import { chain, deliver, noEffect } from '../build.ts';
import type { TrialDefinition } from '../trial-definition.ts';

export const ackUnknownType: TrialDefinition = {
  id: 'ack.unknown-type',
  title: 'An event of a type that the receiver does not know is acknowledged and has no effect',
  material: 'single',
  needsEffects: false,
  availability: withChange('unknown-type'),
  script: ({ events: [event] }) => ({
    rounds: 1,
    acts: event ? [noEffect(chain([deliver(event, { change: 'unknown-type' })]), { answers: '2xx' })] : [],
  }),
};
