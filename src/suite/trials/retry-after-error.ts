import { always } from '../availability.ts';
import type { TrialDefinition } from '../trial-definition.ts';

/** Seen when the receiver answers 5xx by itself. */
export const retryAfterError: TrialDefinition = {
  id: 'retry.after-error',
  title: 'An event that was answered 5xx, and which is delivered again, has one effect',
  material: 'single',
  needsEffects: true,
  availability: always,
  plays: 'first-contact',
  script: () => ({ rounds: 1, acts: [] }),
};
