import type { Attempt, OutgoingRequest } from './attempt.ts';
import type { DeliveryStep, Plan } from './plan.ts';
import type { OnStrike, ReceiverControl } from './receiver-control.ts';
import type { ScheduleError } from './run.ts';

/** A request ready to go. */
export type Composed = {
  readonly request: OutgoingRequest;
  /** How long its answer may take; 0 is for ever. */
  readonly timeoutMs: number;
  /** Break the connection as soon as the body is out. */
  readonly cutAfterBody?: boolean | undefined;
};

export type ExecuteOptions = {
  /** Called right before each attempt, so that time and signature are of that moment. `attempt` is 1 for the first. */
  readonly compose: (step: DeliveryStep, attempt: number) => Composed;
  /** A status after which the provider does not try again although it is no 2xx. */
  readonly isFinal: (step: DeliveryStep, status: number) => boolean;
  /** Named in each attempt. */
  readonly round: string;
  readonly onAttempt: (attempt: Attempt) => void;
  /** What the plan's controls act on; a plan without any needs none. */
  readonly receiver?: ReceiverControl | undefined;
  readonly onStrike?: OnStrike | undefined;
  /** Stops scheduling; what is in flight is drained within a bound. */
  readonly signal: AbortSignal;
  /** Called when the signal fires, with what is in flight at that moment and how long its answers are waited for. */
  readonly onInterrupt?: ((inFlight: readonly DeliveryStep[], boundMs: number) => void) | undefined;
};

/** What came of carrying out a plan once. The attempts themselves went to `onAttempt`. */
export type Execution = {
  /** Deliveries of the plan. */
  readonly planned: number;
  /** Deliveries that were attempted at least once. */
  readonly sent: number;
  readonly attempts: number;
  /** One for each release group. */
  readonly spreadsMicros: readonly number[];
  /** Absent for a plan without planned times. */
  readonly scheduleErrorMs?: ScheduleError | undefined;
  readonly interrupted: boolean;
};

/** Carries out a plan. Never throws for what the receiver does. */
export type Execute = (plan: Plan, options: ExecuteOptions) => Promise<Execution>;
