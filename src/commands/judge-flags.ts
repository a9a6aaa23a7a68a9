import type { GlobalOptions } from './context.ts';
import type { ReporterOption } from './reporter-option.ts';

export type JudgeFlags = GlobalOptions & ReporterOption & { readonly ignore?: readonly string[] | undefined };
