import type { Stretch } from '../judge/evidence.ts';
import type { Effect } from '../model/effect.ts';
import type { Plan } from '../model/plan.ts';
import type { Death } from '../model/receiver-control.ts';
import type { Act } from '../suite/trial-definition.ts';

/** Of the form below. Another one cannot be read. */
export const EVIDENCE_SCHEMA = 'webhook-replay/evidence/1';

/*
 * Evidence as plain JSON, in parts: `run`, then `stretch.N`, then `trial.N` by the trial's place in the run. Events and
 * stretches are named by their index, attempts by their numbers: both are kept elsewhere already.
 */

/** The part `run`. */
export type StoredCast = {
  readonly schema: string;
  readonly events: readonly StoredEvent[];
  /** Notes of the run's plan, which no judgement makes. */
  readonly assumptions: readonly string[];
};

export type StoredEvent = {
  readonly id: string;
  /** Absent when it is the id. */
  readonly label?: string | undefined;
  readonly resource?: string | undefined;
  /** One character a byte; absent where the corpus has the same event, and where nothing is judged by it. */
  readonly payload?: string | undefined;
};

/** What is plain data in a stretch stays as it is. */
export type StoredStretch = Omit<Stretch, 'rounds' | 'effects' | 'attempts'> & {
  /** Captured texts that were renewed. Rounds of one family have the same ones. */
  readonly olds: ReadonlyArray<readonly string[]>;
  readonly rounds: readonly StoredRound[];
  readonly effects: readonly StoredEffect[];
  /** From one number to another, both included. */
  readonly attempts: ReadonlyArray<readonly [first: number, last: number]>;
};

export type StoredRound = {
  readonly round: string;
  /** What stands for `olds[of]`, one by one; `null` for captured ids. */
  readonly renewed: { readonly of: number; readonly texts: readonly string[] } | null;
  readonly events: ReadonlyArray<readonly [event: number, marks: readonly string[]]>;
};

/** JSON has no whole numbers beyond 2^53, no infinity and no minus zero. */
export type StoredCell =
  | string
  | number
  | boolean
  | null
  | { readonly bytes: string }
  | { readonly bigint: string }
  | { readonly number: string };

export type StoredEffect = Omit<Effect, 'before' | 'after'> & {
  readonly before: Readonly<Record<string, StoredCell>> | null;
  readonly after: Readonly<Record<string, StoredCell>> | null;
};

/** Numbers name stretches, and events whose payloads are meant. */
export type StoredTrial =
  | {
      readonly kind: 'effects';
      /** `null`: the run's own. */
      readonly plan: Plan | null;
      readonly baselines: readonly [number, number];
      readonly trial: readonly number[];
      readonly payloads: readonly number[];
      readonly doubts: readonly string[];
    }
  | { readonly kind: 'answers'; readonly doubts: readonly string[] }
  | { readonly kind: 'acts'; readonly acts: readonly StoredAct[] }
  | {
      readonly kind: 'first-contact';
      readonly first: number;
      readonly retried: number;
      readonly payloads: readonly number[];
    };

export type StoredAct = Pick<Act, 'effects' | 'answers' | 'hint' | 'latency' | 'name' | 'only'> & {
  readonly plan: Plan;
  readonly stretch: number;
  readonly aside?: readonly string[] | undefined;
  readonly references?: readonly [number, number] | undefined;
  readonly baselines: readonly [number, number] | null;
  readonly payloads: readonly number[];
  readonly death?: Death | undefined;
  readonly bodies: ReadonlyArray<readonly [attempt: number, body: string]>;
  readonly doubts: readonly string[];
};
