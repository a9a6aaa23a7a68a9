import { UserError } from '../support/errors.ts';
import type { Random } from '../support/random.ts';
import type { Draft } from './draft.ts';

/**
 * What a pattern decides. Two patterns that decide the same thing cannot be combined.
 * `none` decides nothing and stands alone.
 */
export type PatternKind = 'multiply' | 'order' | 'time' | 'repeat' | 'none';

/** How a provider repeats a delivery that was not acknowledged. */
export type RetryDelays = {
  /** Waits before attempt 2, 3, ... in real time. */
  readonly delaysMs: readonly number[];
  /** True when the provider does not publish them. */
  readonly assumed: boolean;
};

export type PatternContext = {
  readonly random: Random;
  /** Providers' delays are divided by it. */
  readonly speed: number;
  readonly retryPlanOf: (provider: string) => RetryDelays;
};

/** One change of a plan: its argument is already read. */
export type Change = (draft: Draft, context: PatternContext) => Draft;

/** A way in which deliveries really arrive, as a function from plan to plan. */
export type Pattern = {
  readonly name: string;
  readonly kind: PatternKind;
  /** One line for lists and help. */
  readonly summary: string;
  /** What stands behind the colon, for example `duplicate[:copies]`. */
  readonly usage: string;
  /** Throws `UserError` when the argument is not what the pattern takes. */
  readonly read: (argument: string | undefined) => Change;
};

type PatternDefinition<Options> = Omit<Pattern, 'read'> & {
  readonly parse: (argument: string | undefined) => Options;
  readonly apply: (draft: Draft, options: Options, context: PatternContext) => Draft;
};

/** Joins a pattern's typed halves: the argument's text to options, and options to a change. */
export function definePattern<Options>({ parse, apply, ...facts }: PatternDefinition<Options>): Pattern {
  return {
    ...facts,
    read: (argument) => {
      const options = parse(argument);
      return (draft, context) => apply(draft, options, context);
    },
  };
}

/** @param takes completes "Write it like ..." */
export function badArgument(message: string, takes: string): UserError {
  return new UserError('BAD_PATTERN_ARGUMENT', message, { hint: `Write it like ${takes}.` });
}

/** For patterns without options. */
export function parseNothing(name: string): (argument: string | undefined) => undefined {
  return (argument) => {
    if (argument === undefined) return undefined;
    throw badArgument(`The pattern "${name}" takes no argument, but it was given "${argument}".`, name);
  };
}

export type CountRule = {
  readonly pattern: string;
  /** For example `copies`. */
  readonly what: string;
  readonly min: number;
  readonly max: number;
  readonly fallback: number;
};

/** A whole number within bounds; without an argument the fallback. */
export function parseCount({ pattern, what, min, max, fallback }: CountRule): (argument: string | undefined) => number {
  return (argument) => {
    if (argument === undefined) return fallback;
    const count = /^\d{1,9}$/.test(argument) ? Number(argument) : Number.NaN;
    if (count >= min && count <= max) return count;
    throw badArgument(
      `"${argument}" is not a number of ${what} for the pattern "${pattern}".`,
      `${pattern}:${Math.max(min, 3)}, with a whole number from ${min} to ${max}; without one it is ${fallback}`,
    );
  };
}

/** Providers' delays go through this: a microsecond is exact enough, and the plan stays readable. */
export function compress(ms: number, speed: number): number {
  return Math.round((ms / speed) * 1000) / 1000;
}
