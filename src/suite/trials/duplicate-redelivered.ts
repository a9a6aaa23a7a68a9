import { always } from '../availability.ts';
import { chain, deliver, onceEach } from '../build.ts';
import type { TrialDefinition } from '../trial-definition.ts';

export const duplicateRedelivered: TrialDefinition = {
  id: 'duplicate.redelivered',
  title: 'An event that the provider delivers again, with what it renews on a retry, has one effect',
  material: 'single',
  needsEffects: true,
  availability: always,
  script: ({ events: [event] }) => ({
    rounds: 1,
    acts: event ? [onceEach(chain([deliver(event), deliver(event, { copy: 2, as: 'redelivery' })]))] : [],
  }),
};
