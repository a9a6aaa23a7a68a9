import type { GlobalOptions } from './context.ts';

export type PruneFlags = GlobalOptions & {
  readonly olderThan?: string | undefined;
  readonly keep?: number | undefined;
  readonly type?: readonly string[] | undefined;
  readonly provider?: readonly string[] | undefined;
  readonly tag?: readonly string[] | undefined;
  readonly dryRun?: boolean | undefined;
  readonly yes?: boolean | undefined;
};
