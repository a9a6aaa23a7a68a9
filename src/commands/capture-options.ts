import type { GlobalOptions } from './context.ts';

/** As commander gives them. */
export type CaptureOptions = GlobalOptions & {
  readonly host: string;
  readonly port: number;
  readonly readyFile?: string | undefined;
  readonly limit: string;
  readonly status?: number | undefined;
  readonly body?: string | undefined;
  readonly header?: readonly string[] | undefined;
  readonly forward?: string | undefined;
  readonly timeout?: string | undefined;
  readonly preserveHost?: boolean | undefined;
  readonly allowHost?: readonly string[] | undefined;
  readonly allowHeader?: readonly string[] | undefined;
  readonly cacert?: string | undefined;
  readonly insecure?: boolean | undefined;
  readonly provider?: string | undefined;
  readonly tag?: readonly string[] | undefined;
  readonly exitAfter?: number | undefined;
  readonly exitOnIdle?: string | undefined;
};
