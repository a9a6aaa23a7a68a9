import { always } from '../availability.ts';
import { chain, deliver, onceEach, others } from '../build.ts';
import type { TrialDefinition } from '../trial-definition.ts';

/** More than small memories hold, and longer than short windows last (a guard of 2 s is a common one). */
const BETWEEN = 40;
const GAP_MS = 2500;

export const duplicateLate: TrialDefinition = {
  id: 'duplicate.late',
  title: 'An event that arrives again after many others and a while has one effect',
  material: 'single',
  needsEffects: true,
  availability: always,
  script: ({ events: [event] }) => {
    if (!event) return { rounds: 1, acts: [] };
    const between = others(BETWEEN).map((identity) => deliver(event, { identity }));
    const late = { ...deliver(event, { copy: 2 }), delayMs: GAP_MS };
    return {
      rounds: 1,
      acts: [onceEach(chain([deliver(event), ...between, late]), { identities: ['a', ...others(BETWEEN)] })],
    };
  },
};
