import type { Availability, SuiteFacts } from './trial-definition.ts';

export function always(): Availability {
  return { kind: 'ready' };
}

const SEVERAL = '--event (several events of one resource, oldest first)';

export function withUpdates({ materials }: SuiteFacts): Availability {
  if (materials.has('updates')) return { kind: 'ready' };
  return { kind: 'skip', needs: [SEVERAL], reason: 'It needs a resource that is created and updated.' };
}

/** One to begin with, one that never comes, one behind it. */
export function withThreeUpdates({ materials }: SuiteFacts): Availability {
  if ((materials.get('updates')?.length ?? 0) >= 3) return { kind: 'ready' };
  return { kind: 'skip', needs: [SEVERAL], reason: 'It needs a resource with three versions.' };
}

export function withDeletion({ materials }: SuiteFacts): Availability {
  if (materials.has('deletion')) return { kind: 'ready' };
  return { kind: 'skip', needs: [SEVERAL], reason: 'It needs a resource that is created, updated and taken away.' };
}

/** The process is killed, so it must be ours. */
export function withProcess({ hasProcess }: SuiteFacts): Availability {
  if (hasProcess) return { kind: 'ready' };
  return { kind: 'skip', needs: ['--start'], reason: "It kills the receiver's process." };
}

/** Forgeries need something to forge. */
export function withSignature({ provider, hasSecret }: SuiteFacts): Availability {
  if (!provider.signature) return { kind: 'not-applicable', reason: `${provider.name} events are not signed.` };
  if (!hasSecret)
    return {
      kind: 'skip',
      needs: ['--secret'],
      reason: 'It needs the secret, to show that the right signature is taken.',
    };
  return { kind: 'ready' };
}

export function withTimestamp(facts: SuiteFacts): Availability {
  if (facts.provider.signature && !facts.provider.signature.timestamp) {
    return { kind: 'not-applicable', reason: `${facts.provider.name} signatures hold no time.` };
  }
  return withSignature(facts);
}

export function withChange(change: string): (facts: SuiteFacts) => Availability {
  return withAnyChange([change]);
}

/** One of these ways is enough. */
export function withAnyChange(changes: readonly string[]): (facts: SuiteFacts) => Availability {
  return ({ canChange }) =>
    changes.some(canChange)
      ? { kind: 'ready' }
      : { kind: 'not-applicable', reason: 'The body is no JSON object, so it cannot be changed so.' };
}
