import type { Execution } from '../model/execution.ts';
import type { Plan } from '../model/plan.ts';
import type { ScheduleError, Spread } from '../model/run.ts';
import type { RunRequest } from './ports.ts';
import { isRace, ROUNDS_FOR_A_RACE } from './rounds.ts';

type Doubtful = {
  readonly plan: Plan;
  readonly executions: readonly Execution[];
  readonly request: Pick<RunRequest, 'maxSkewMs' | 'identities'>;
  readonly interrupted: boolean;
};

const TIGHT_SPREAD_MICROS = 1000;

/** Reasons why a pass would not have been earned: what was planned was not what was done. */
export function doubtsOf({ plan, executions, request, interrupted }: Doubtful): readonly string[] {
  const doubts: string[] = [];
  if (interrupted) doubts.push('Interrupted before the plan was carried out.');
  const [planned, sent] = [sum(executions, 'planned'), sum(executions, 'sent')];
  if (sent < planned) doubts.push(`Only ${sent} of ${planned} planned deliveries were sent.`);
  const skew = scheduleErrorOf(executions);
  if (skew && skew.p99 > request.maxSkewMs) {
    doubts.push(
      `The sender could not keep its own schedule: 99 % within ${skew.p99.toFixed(1)} ms, allowed are ${request.maxSkewMs} ms (--max-skew). Lower --speed or raise --concurrency.`,
    );
  }
  return [...doubts, ...raceDoubts(plan, executions)];
}

/** None of N hits means p < 3/N, not "safe"; with a wide spread it does not even mean that. */
function raceDoubts(plan: Plan, executions: readonly Execution[]): readonly string[] {
  if (!isRace(plan)) return [];
  const doubts: string[] = [];
  if (executions.length < ROUNDS_FOR_A_RACE) {
    doubts.push(
      `${executions.length === 1 ? 'One round without a hit proves' : `${executions.length} rounds without a hit prove`} little about a race; it takes at least ${ROUNDS_FOR_A_RACE} (--rounds ${ROUNDS_FOR_A_RACE}).`,
    );
  }
  const spread = spreadOf(executions);
  if (spread && spread.p50 >= TIGHT_SPREAD_MICROS) {
    doubts.push(
      `The copies were released ${spread.p50} us apart in the median; for a race to show it takes less than ${TIGHT_SPREAD_MICROS} us.`,
    );
  }
  return doubts;
}

export function spreadOf(executions: readonly Execution[]): Spread | undefined {
  const spreads = executions.flatMap(({ spreadsMicros }) => spreadsMicros).sort((a, b) => a - b);
  const max = spreads.at(-1);
  return max === undefined
    ? undefined
    : { p50: Math.round(spreads[Math.floor(spreads.length / 2)] ?? max), max: Math.round(max) };
}

/** The worst of all executions. */
export function scheduleErrorOf(executions: readonly Execution[]): ScheduleError | undefined {
  const errors = executions.flatMap(({ scheduleErrorMs }) => scheduleErrorMs ?? []);
  if (errors.length === 0) return undefined;
  const worst = (key: keyof ScheduleError) => Math.max(...errors.map((error) => error[key]));
  return { p50: worst('p50'), p99: worst('p99'), max: worst('max') };
}

function sum(executions: readonly Execution[], key: 'planned' | 'sent'): number {
  return executions.reduce((total, execution) => total + execution[key], 0);
}
