import type { GlobalOptions } from './context.ts';

export type ImportFlags = GlobalOptions & {
  readonly format?: string | undefined;
  readonly provider?: string | undefined;
  readonly type?: string | undefined;
  readonly header?: readonly string[] | undefined;
  readonly method?: string | undefined;
  readonly path?: string | undefined;
  readonly tag?: readonly string[] | undefined;
};
