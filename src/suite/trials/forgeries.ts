import type { Forgery } from '../../model/plan.ts';
import { withSignature, withTimestamp } from '../availability.ts';
import { chain, deliver, noEffect, onceEach } from '../build.ts';
import type { TrialDefinition } from '../trial-definition.ts';

const CHECK_FIRST =
  'Check the signature over the raw bytes, in constant time, before the body is parsed and before anything is written; answer 401 or 400.';

const HINTS: Readonly<Record<Forgery, string>> = {
  missing: `A request without a signature was not refused. ${CHECK_FIRST}`,
  'wrong-secret': `A signature made with another secret was not refused. ${CHECK_FIRST}`,
  tampered: `The body was changed behind the signature and not refused. ${CHECK_FIRST}`,
  stale:
    'The signature was right but old, and anybody who has seen the request once can send it again. Refuse times beyond the tolerance that the provider documents, in its unit.',
};

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
        ? [
            noEffect(chain([deliver(event, { forgery: kind })]), { hint: HINTS[kind] }),
            onceEach(chain([deliver(event, { copy: 2 })])),
          ]
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
