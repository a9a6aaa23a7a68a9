import type { Forgery } from '../../model/plan.ts';
import { withSignature, withTimestamp } from '../availability.ts';
import { chain, deliver, noEffect, onceEach } from '../build.ts';
import type { TrialDefinition } from '../trial-definition.ts';

/** A forged delivery is refused without an effect, and then the right one of the same event is still taken. */
function forgery(kind: Forgery, title: string, availability: TrialDefinition['availability']): TrialDefinition {
  return {
    id: `auth.${kind}`,
    title,
    material: 'single',
    needsEffects: false,
    availability,
    script: ({ events: [event] }) => ({
      rounds: 1,
      acts: event
        ? [noEffect(chain([deliver(event, { forgery: kind })])), onceEach(chain([deliver(event, { copy: 2 })]))]
        : [],
    }),
  };
}

export const authMissing: TrialDefinition = forgery(
  'missing',
  'A delivery without a signature is refused',
  withSignature,
);
export const authWrongSecret: TrialDefinition = forgery(
  'wrong-secret',
  'A delivery signed with another secret is refused',
  withSignature,
);
export const authTampered: TrialDefinition = forgery(
  'tampered',
  'A delivery that was changed after it was signed is refused',
  withSignature,
);
export const authStale: TrialDefinition = forgery(
  'stale',
  'A delivery whose time is beyond the tolerance is refused',
  withTimestamp,
);
