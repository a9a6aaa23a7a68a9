import type { Abandon, Fault } from '../../model/plan.ts';
import { always } from '../availability.ts';
import { boundariesOf, boundaryText, turnCounts } from '../boundaries.ts';
import { faultAct } from '../fault-act.ts';
import type { TrialDefinition } from '../trial-definition.ts';

/** Until the sender gives up and for some time longer, so that its retry comes while the first attempt still hangs. */
const HANG_UP_MS = 300;
const STALL_MS = 600;
/** Shorter than what most pools wait for a connection. */
const OUTAGE_MS = 300;

/** Seen when the receiver answers 5xx by itself, and, with interception, whenever a dependency of it fails. */
export const retryAfterError: TrialDefinition = {
  id: 'retry.after-error',
  title:
    'An event that was answered 5xx, or whose dependency failed once, and which is delivered again, has one effect',
  material: 'single',
  needsEffects: true,
  needsTurns: true,
  availability: always,
  plays: 'first-contact',
  script: ({ events: [event], latencyMs, lateMs, timeoutMs, turns = [] }) => {
    const boundaries = boundariesOf(turns);
    const faults = boundaries.flatMap((boundary): readonly FaultPlan[] => {
      const where = boundaryText(boundary, turns);
      const cut = { fault: { ...boundary, how: 'cut' }, name: `with the connection cut ${where}` } as const;
      if (boundary.side === 'after') return [cut];
      const stall = { ...boundary, how: 'stall', forMs: STALL_MS } as const;
      const hangUp = { kind: 'hang-up', afterMs: Math.min(HANG_UP_MS, timeoutMs || HANG_UP_MS) } as const;
      const stalled = { fault: stall, abandon: hangUp, name: `with a stall beyond the timeout ${where}` };
      if (boundary.turn > 1) return [cut, stalled];
      const refuse = { ...boundary, how: 'refuse', forMs: OUTAGE_MS } as const;
      return [cut, stalled, { fault: refuse, name: `with ${boundary.dependency} away for a while ${where}` }];
    });
    return {
      rounds: 1,
      acts: event
        ? faults.map((fault, index) => faultAct(event, { ...fault, number: index + 1, latencyMs, lateMs }))
        : [],
      tries: `${turnCounts(turns)}: ${faults.length} faults`,
    };
  },
};

type FaultPlan = {
  readonly fault: Omit<Fault, 'withinMs'>;
  readonly name: string;
  readonly abandon?: Abandon;
};
