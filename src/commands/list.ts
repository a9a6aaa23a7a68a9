import type { Command } from 'commander';
import { registerCapture } from './capture.ts';
import type { Context } from './context.ts';
import { registerDemo } from './demo.ts';
import { registerFixtures } from './fixtures.ts';
import { registerReceiver } from './receiver.ts';
import { registerReplay } from './replay.ts';
import { registerSend } from './send.ts';

/** To add a command: one file here with a `register...` function, one line in this list. The order is that of `--help`. */
export const COMMANDS: ReadonlyArray<(program: Command, context: Context) => void> = [
  registerDemo,
  registerCapture,
  registerSend,
  registerReplay,
  registerFixtures,
  registerReceiver,
];
