import { withProcess } from '../availability.ts';
import { control, deliver, KILL, onceEach, RESTART } from '../build.ts';
import type { TrialDefinition } from '../trial-definition.ts';

const ROUNDS = 5;

export const retryAckedThenKilled: TrialDefinition = {
  id: 'retry.acked-then-killed',
  title: 'An event whose answer had begun when the receiver was killed has one effect',
  material: 'single',
  needsEffects: true,
  availability: withProcess,
  script: ({ events: [event] }) => ({
    rounds: ROUNDS,
    acts: event
      ? [
          onceEach(
            [
              { id: 's1', start: { kind: 'at', atMs: 0 }, delivery: deliver(event) },
              control('kill', KILL, { step: 's1', moment: 'first-byte' }),
              control('restart', RESTART, { step: 'kill' }),
            ],
            { name: 'when it was killed at the first byte of its answer' },
          ),
        ]
      : [],
  }),
};
