import type { GlobalOptions } from './context.ts';

export type ExportFlags = GlobalOptions & {
  readonly format?: string | undefined;
  /** A file, a folder, or `-`. */
  readonly output: string;
};
