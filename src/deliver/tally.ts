import type { Execution } from '../model/execution.ts';
import type { ScheduleError } from '../model/run.ts';

export type Tally = {
  /** Numbers the attempts, from 1. */
  readonly nextNumber: () => number;
  readonly deliverySent: () => void;
  readonly scheduleError: (ms: number) => void;
  readonly spread: (micros: number) => void;
  readonly execution: (rest: Pick<Execution, 'planned' | 'interrupted'>) => Execution;
};

/** Counts while a plan is carried out; holds numbers only, whatever the plan's length. */
export function createTally(): Tally {
  let attempts = 0;
  let sent = 0;
  const errors: number[] = [];
  const spreadsMicros: number[] = [];
  return {
    nextNumber: () => ++attempts,
    deliverySent: () => {
      sent++;
    },
    scheduleError: (ms) => errors.push(ms),
    spread: (micros) => spreadsMicros.push(micros),
    execution: (rest) => ({
      ...rest,
      sent,
      attempts,
      spreadsMicros,
      ...(errors.length === 0 ? {} : { scheduleErrorMs: summary(errors) }),
    }),
  };
}

function summary(errors: readonly number[]): ScheduleError {
  const sorted = [...errors].sort((a, b) => a - b);
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
  return { p50: at(0.5), p99: at(0.99), max: at(1) };
}
