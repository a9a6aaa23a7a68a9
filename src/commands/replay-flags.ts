import type { DeliveryOptions } from './delivery-options.ts';
import type { ReporterOption } from './reporter-option.ts';

/** What holds where a flag is not given; every command that runs a plan shares it. */
export const REPLAY_DEFAULTS = {
  pattern: 'duplicate',
  speed: '1x',
  concurrency: 10,
  settle: '500ms',
  settleMax: '30s',
  settleFirst: '5s',
  maxSkew: '250ms',
} as const;

/** Flags of every command that delivers and judges. */
export type RunOptions = DeliveryOptions &
  ReporterOption & {
    readonly event?: readonly string[] | undefined;
    readonly type?: string | undefined;
    readonly force?: boolean | undefined;
    readonly seed?: number | undefined;
    readonly concurrency: number;
    readonly effect?: readonly string[] | undefined;
    readonly ignore?: readonly string[] | undefined;
    readonly settle: string;
    readonly settleMax: string;
    readonly settleFirst: string;
    readonly maxSkew: string;
    readonly fresh?: readonly string[] | undefined;
    readonly keep?: readonly string[] | undefined;
    readonly setup?: string | undefined;
    readonly reset?: string | undefined;
    readonly keepIds?: boolean | undefined;
  };

export type ReplayOptions = RunOptions & {
  readonly pattern: string;
  readonly rounds?: number | undefined;
  readonly speed: string;
  readonly ordered?: boolean | undefined;
  readonly dryRun?: boolean | undefined;
  readonly newIds?: boolean | undefined;
};
