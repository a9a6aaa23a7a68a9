import { withProcess } from '../availability.ts';
import { control, deliver, KILL, onceEach, RESTART } from '../build.ts';
import type { TrialDefinition } from '../trial-definition.ts';

export const duplicateAfterRestart: TrialDefinition = {
  id: 'duplicate.after-restart',
  title: 'An event that arrives again after the receiver was killed and started again has one effect',
  material: 'single',
  needsEffects: true,
  availability: withProcess,
  // What is still being worked on when it is killed is another trial's matter.
  script: ({ events: [event], lateMs }) => ({
    rounds: 1,
    acts: event
      ? [
          onceEach([
            { id: 's1', start: { kind: 'at', atMs: 0 }, delivery: deliver(event) },
            control('kill', KILL, { step: 's1', delayMs: 2 * lateMs }),
            control('restart', RESTART, { step: 'kill' }),
            {
              id: 's2',
              start: { kind: 'after', step: 'restart', moment: 'answered', delayMs: 0 },
              delivery: deliver(event, { copy: 2 }),
            },
          ]),
        ]
      : [],
  }),
};
