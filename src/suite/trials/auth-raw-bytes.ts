import { ODD_BYTES } from '../../mutate/changes/odd-bytes.ts';
import { withSignature } from '../availability.ts';
import { chain, deliver, onceEach } from '../build.ts';
import type { Availability, SuiteFacts, TrialDefinition } from '../trial-definition.ts';

const HINT =
  'The signature covers the bytes as they came. A receiver that parses JSON and writes it again before it checks (or reads the body in another charset) refuses what is right: check over the raw body.';

/** A signature covers bytes. A receiver that parses and writes JSON again before it checks refuses what is right. */
export const authRawBytes: TrialDefinition = {
  id: 'auth.raw-bytes',
  title: 'Odd but valid bytes, signed right, are taken',
  material: 'single',
  needsEffects: false,
  availability,
  script: ({ events: [event] }) => {
    if (!event) return { rounds: 1, acts: [] };
    const odd = ODD_BYTES.map(({ id }) => deliver(event, { change: id, identity: id }));
    const [first = 'a', ...rest] = ODD_BYTES.map(({ id }) => id);
    return { rounds: 1, acts: [onceEach(chain(odd), { identities: [first, ...rest], effects: 'any', hint: HINT })] };
  },
};

function availability(facts: SuiteFacts): Availability {
  const signature = withSignature(facts);
  if (signature.kind !== 'ready' || ODD_BYTES.every(({ id }) => facts.canChange(id))) return signature;
  return { kind: 'not-applicable', reason: 'The body is no JSON object.' };
}
