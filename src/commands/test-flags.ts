import type { RunOptions } from './replay-flags.ts';

export type TestOptions = RunOptions & {
  readonly only?: readonly string[] | undefined;
  readonly skip?: readonly string[] | undefined;
  readonly list?: boolean | undefined;
  readonly bail?: boolean | undefined;
  readonly strict?: boolean | undefined;
  readonly repeat: number;
  readonly start?: string | undefined;
  readonly ready?: string | undefined;
  readonly instances: number;
  readonly intercept?: readonly string[] | undefined;
  readonly crashAt?: readonly string[] | undefined;
};
