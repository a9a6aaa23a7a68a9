import { always } from '../availability.ts';
import { deliver, onceEach, others, timed } from '../build.ts';
import type { TrialDefinition } from '../trial-definition.ts';

const BURST = 40;
const WARN_MS = 100;

export const ackLatency: TrialDefinition = {
  id: 'ack.latency',
  title: 'A burst of events is answered within the time that the provider waits',
  material: 'single',
  needsEffects: false,
  availability: always,
  script: ({ events: [event], timeoutMs }) => {
    if (!event) return { rounds: 1, acts: [] };
    const burst = ['a', ...others(BURST - 1)].map((identity) => ({ ...deliver(event, { identity }), atMs: 0 }));
    const latency = { budgetMs: timeoutMs, warnMs: WARN_MS };
    return {
      rounds: 1,
      acts: [onceEach(timed(burst), { identities: ['a', ...others(BURST - 1)], effects: 'any', latency })],
    };
  },
};
