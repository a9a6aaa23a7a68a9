import { deliveriesIn, type Plan } from '../model/plan.ts';
import type { ReplayRequest } from './ports.ts';

/** A race is a matter of luck: fewer rounds without a hit prove little. */
export const ROUNDS_FOR_A_RACE = 20;

/** How often the plan is carried out. Without a source nothing tells the rounds apart, so that one is enough. */
export function roundsOf(
  plan: Plan,
  { rounds }: Pick<ReplayRequest, 'rounds'>,
  judged: 'by-effects' | 'by-answers',
): number {
  return rounds ?? (isRace(plan) && judged === 'by-effects' ? ROUNDS_FOR_A_RACE : 1);
}

export function isRace(plan: Plan): boolean {
  return deliveriesIn(plan).some(({ delivery }) => delivery.group !== undefined);
}
