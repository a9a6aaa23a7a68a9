import { withChange } from '../availability.ts';
import { chain, deliver, noEffect } from '../build.ts';
import type { TrialDefinition } from '../trial-definition.ts';

const HINT =
  'Acknowledge types that you do not handle with 200 and do nothing: senders add types without asking, and errors switch the endpoint off.';

export const ackUnknownType: TrialDefinition = {
  id: 'ack.unknown-type',
  title: 'An event of a type that the receiver does not know is acknowledged and has no effect',
  material: 'single',
  needsEffects: false,
  availability: withChange('unknown-type'),
  script: ({ events: [event] }) => ({
    rounds: 1,
    acts: event ? [noEffect(chain([deliver(event, { change: 'unknown-type' })]), { answers: '2xx', hint: HINT })] : [],
  }),
};
