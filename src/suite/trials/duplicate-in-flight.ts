import { always } from '../availability.ts';
import { deliver, onceEach, timed } from '../build.ts';
import type { TrialDefinition } from '../trial-definition.ts';

export const duplicateInFlight: TrialDefinition = {
  id: 'duplicate.in-flight',
  title: 'A copy that arrives while the first is being worked on has no effect of its own, and loses none',
  material: 'single',
  needsEffects: true,
  availability: always,
  script: ({ events: [event], latencyMs }) => ({
    rounds: 5,
    acts: event
      ? [
          onceEach(
            timed([
              { ...deliver(event), atMs: 0 },
              { ...deliver(event, { copy: 2 }), atMs: Math.max(1, latencyMs / 2) },
            ]),
          ),
        ]
      : [],
  }),
};
