import { always } from '../availability.ts';
import { chain, deliver, onceEach } from '../build.ts';
import type { TrialDefinition } from '../trial-definition.ts';

export const retryAfterReset: TrialDefinition = {
  id: 'retry.after-reset',
  title: 'An event whose connection broke behind the body, and which is delivered again, has one effect',
  material: 'single',
  needsEffects: true,
  availability: always,
  script: ({ events: [event] }) => ({
    rounds: 5,
    acts: event ? [onceEach(chain([deliver(event, { abandon: { kind: 'reset' } })]))] : [],
  }),
};
