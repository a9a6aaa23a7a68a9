import type { Plan } from '../model/plan.ts';
import { NOT_OBSERVED, type ObservedSource, type Trial } from '../model/run.ts';
import type { Courier } from './courier.ts';
import type { RoundIdentity } from './deliver-round.ts';
import type { ReplayRequest } from './ports.ts';
import type { TrialEvidence } from './trial-evidence.ts';

/** Ids for as many rounds as are wanted, and what was taken for an id. */
export type Family = {
  readonly identity: (round: string) => RoundIdentity;
  readonly candidates: readonly string[];
};

export type TrialRequest = {
  readonly plan: Plan;
  readonly family: Family;
  readonly request: ReplayRequest;
  readonly courier: Courier;
};

export type JudgedTrial = {
  readonly trial: Trial;
  /** Absent when it did not come to judging. */
  readonly evidence?: TrialEvidence | undefined;
  readonly sources: readonly ObservedSource[];
};

/** Why a trial that needs effects was not judged. */
export const NOTHING_OBSERVED = `${NOT_OBSERVED}. Show them with --effect SOURCE.`;

export function emptyTrial(verdict: Trial['verdict']): Trial {
  return {
    id: 'replay',
    title: 'The chosen events with the chosen pattern',
    verdict,
    rounds: 0,
    hits: 0,
    needs: [],
    warnings: [],
    notes: [],
    findings: [],
  };
}
