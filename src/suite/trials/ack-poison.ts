import { POISON } from '../../mutate/changes/poison.ts';
import { changeEvent } from '../../mutate/changes.ts';
import { withAnyChange } from '../availability.ts';
import { deliver, onceEach, others } from '../build.ts';
import type { TrialDefinition } from '../trial-definition.ts';

const OTHERS = 10;
/** The first of them right behind the poison, the last when it was tried again more than once. */
const EVERY_MS = 50;
const HINT =
  'One event that cannot be processed must not stop those behind it. Retry it a few times beside the others, then put it away (a dead-letter queue) with its payload and the error.';

/** Nobody is told how to answer the poison: it may be refused, taken, tried again or put away. */
export const ackPoison: TrialDefinition = {
  id: 'ack.poison',
  title: 'An event that cannot be processed does not block the ones behind it',
  material: 'single',
  needsEffects: true,
  availability: withAnyChange(POISON.map(({ id }) => id)),
  script: ({ events: [event] }) => {
    if (!event) return { rounds: 1, acts: [] };
    const kinds = POISON.filter(({ id }) => changeEvent(event, id) !== undefined);
    const poison = kinds.map(({ id }) => ({ identity: `poison-${id}`, change: id }));
    const steps = [
      ...poison.map((draft, index) => ({
        id: `p${index + 1}`,
        start: { kind: 'at', atMs: 0 } as const,
        delivery: deliver(event, draft),
      })),
      ...others(OTHERS).map((identity, index) => ({
        id: identity,
        start: { kind: 'after', step: `p${poison.length}`, moment: 'sent', delayMs: (index + 1) * EVERY_MS } as const,
        delivery: deliver(event, { identity }),
      })),
    ];
    const aside = poison.map(({ identity }) => identity);
    const [first = '', ...rest] = [...others(OTHERS), ...aside];
    return { rounds: 1, acts: [onceEach(steps, { identities: [first, ...rest], aside, hint: HINT })] };
  },
};
