import type { Command } from 'commander';
import { registerCapture } from './capture.ts';
import type { Context } from './context.ts';

/** To add a command: one file here with a `register...` function, one line in this list. The order is that of `--help`. */
export const COMMANDS: ReadonlyArray<(program: Command, context: Context) => void> = [registerCapture];
