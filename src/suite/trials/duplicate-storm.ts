import { always } from '../availability.ts';
import { deliver, onceEach, others, timed } from '../build.ts';
import type { TrialDefinition } from '../trial-definition.ts';

const RETRIES = 40;
const OTHERS = 10;
const EVERY_MS = 10;
const WARN_MS = 1000;

export const duplicateStorm: TrialDefinition = {
  id: 'duplicate.storm',
  title: 'A burst of retries of one event, among others, has one effect each, and is answered in time',
  material: 'single',
  needsEffects: true,
  availability: always,
  script: ({ events: [event], timeoutMs }) => {
    if (!event) return { rounds: 1, acts: [] };
    const storm = Array.from({ length: RETRIES }, (_, index) => ({
      ...deliver(event, { copy: index + 1, as: index === 0 ? 'same' : 'redelivery' }),
      atMs: index * EVERY_MS,
    }));
    const spread = (RETRIES * EVERY_MS) / OTHERS;
    const meanwhile = others(OTHERS).map((identity, index) => ({
      ...deliver(event, { identity }),
      atMs: index * spread + 5,
    }));
    const latency = { budgetMs: timeoutMs, warnMs: WARN_MS };
    return {
      rounds: 1,
      acts: [onceEach(timed([...storm, ...meanwhile]), { identities: ['a', ...others(OTHERS)], latency })],
    };
  },
};
