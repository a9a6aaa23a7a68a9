import { always } from '../availability.ts';
import { chain, deliver, onceEach } from '../build.ts';
import type { TrialDefinition } from '../trial-definition.ts';

export const retryAfterTimeout: TrialDefinition = {
  id: 'retry.after-timeout',
  title: 'An event whose answer did not come in time, and which is delivered again, has one effect',
  material: 'single',
  needsEffects: true,
  availability: always,
  // A receiver that is faster than the provider's patience is left half-way.
  script: ({ events: [event], latencyMs, timeoutMs }) => ({
    rounds: 5,
    acts: event
      ? [
          onceEach(
            chain([
              deliver(event, {
                abandon: { kind: 'hang-up', afterMs: Math.min(timeoutMs, Math.max(1, latencyMs / 2)) },
              }),
            ]),
          ),
        ]
      : [],
  }),
};
