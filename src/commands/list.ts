import type { Command } from 'commander';
import { registerCapture } from './capture.ts';
import { registerCompletion } from './completion.ts';
import { registerConfig } from './config.ts';
import type { Context } from './context.ts';
import { registerDemo } from './demo.ts';
import { registerDoctor } from './doctor.ts';
import { registerExport } from './export.ts';
import { registerFixtures } from './fixtures.ts';
import { registerHelp } from './help.ts';
import { registerImport } from './import.ts';
import { registerJudge } from './judge.ts';
import { registerList } from './list-events.ts';
import { registerProviders } from './providers.ts';
import { registerPrune } from './prune.ts';
import { registerReceiver } from './receiver.ts';
import { registerReplay } from './replay.ts';
import { registerReport } from './report.ts';
import { registerRuns } from './runs.ts';
import { registerSend } from './send.ts';
import { registerShow } from './show.ts';
import { registerSign } from './sign.ts';
import { registerTag } from './tag.ts';
import { registerTest } from './test.ts';
import { registerVerify } from './verify.ts';

/** To add a command: one file here with a `register...` function, one line in this list. The order is that of `--help`, within each group. */
export const COMMANDS: ReadonlyArray<(program: Command, context: Context) => void> = [
  registerDemo,
  registerHelp,
  registerConfig,
  registerDoctor,
  registerCompletion,
  registerCapture,
  registerImport,
  registerList,
  registerShow,
  registerTag,
  registerPrune,
  registerExport,
  registerSend,
  registerReplay,
  registerTest,
  registerRuns,
  registerReport,
  registerJudge,
  registerSign,
  registerVerify,
  registerProviders,
  registerFixtures,
  registerReceiver,
];
