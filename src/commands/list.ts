import type { Command } from 'commander';
import type { Context } from './context.ts';
import { registerProviders } from './providers.ts';
import { registerSign } from './sign.ts';
import { registerVerify } from './verify.ts';

/** To add a command: one file here with a `register...` function, one line in this list. The order is that of `--help`. */
export const COMMANDS: ReadonlyArray<(program: Command, context: Context) => void> = [
  registerSign,
  registerVerify,
  registerProviders,
];
