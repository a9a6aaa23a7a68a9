import { always } from '../availability.ts';
import { deliver, onceEach, together } from '../build.ts';
import type { TrialDefinition } from '../trial-definition.ts';

/** 2 is the strongest for tiny windows on few cores, 10 for receivers that spread requests over workers. */
const SIZES = [2, 10];

export const duplicateConcurrent: TrialDefinition = {
  id: 'duplicate.concurrent',
  title: 'Copies of an event that arrive at the same moment have one effect',
  material: 'single',
  needsEffects: true,
  availability: always,
  script: ({ events: [event] }) => ({
    rounds: 20,
    acts: event
      ? SIZES.map((size) =>
          onceEach(together(Array.from({ length: size }, (_, index) => deliver(event, { copy: index + 1 }))), {
            identities: [`n${size}`],
          }),
        )
      : [],
  }),
};
