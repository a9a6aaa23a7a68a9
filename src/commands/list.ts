import type { Command } from 'commander';
import type { Context } from './context.ts';
import { registerExport } from './export.ts';
import { registerImport } from './import.ts';
import { registerList } from './list-events.ts';
import { registerPrune } from './prune.ts';
import { registerShow } from './show.ts';
import { registerTag } from './tag.ts';

/** To add a command: one file here with a `register...` function, one line in this list. The order is that of `--help`. */
export const COMMANDS: ReadonlyArray<(program: Command, context: Context) => void> = [
  registerImport,
  registerList,
  registerShow,
  registerTag,
  registerPrune,
  registerExport,
];
