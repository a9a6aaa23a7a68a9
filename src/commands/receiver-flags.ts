import type { GlobalOptions } from './context.ts';

/** As commander gives them. */
export type ReceiverFlags = GlobalOptions & {
  readonly port: number;
  readonly host: string;
  readonly db?: string | undefined;
  readonly provider?: string | undefined;
  readonly secret?: readonly string[] | undefined;
  readonly fault?: string | undefined;
  readonly rename?: number | undefined;
  readonly list?: boolean | undefined;
  readonly readyFile?: string | undefined;
  readonly effectDelay?: string | undefined;
  readonly call?: string | undefined;
  readonly callDelay?: string | undefined;
  readonly totalOnly?: boolean | undefined;
  /** False after `--no-db-rows`. */
  readonly dbRows: boolean;
  readonly api?: string | undefined;
  readonly buffer?: string | undefined;
  readonly keepReceipts?: string | undefined;
  readonly queue?: string | undefined;
  readonly queueConfig?: string | undefined;
  readonly adminToken?: string | undefined;
  readonly answers?: readonly number[] | undefined;
};
