import type { Command } from 'commander';
import type { Context } from './context.ts';
import { collect, defineCommand, optionsOf } from './define.ts';
import { addDeliveryOptions } from './delivery-options.ts';
import { addEffectOptions, addEventOptions } from './effect-options.ts';
import { ENVIRONMENT_NOTE, readEnvironment } from './environment.ts';
import { readCount, readSeed } from './number-option.ts';
import { REPLAY_DEFAULTS } from './replay-flags.ts';
import { addReporterOption } from './reporter-option.ts';
import type { TestOptions } from './test-flags.ts';

/** A burst must not wait for connections. */
const CONCURRENCY = 50;

export function registerTest(program: Command, context: Context): void {
  const command = defineCommand(program, 'test', {
    group: 'judge',
    summary: 'Play the whole suite against a receiver: the CI gate.',
    examples: [
      'test --to 3000 --provider stripe --secret env:STRIPE_SECRET --effect sqlite:app.db',
      "test last:5 --to 3000 --secret env:STRIPE_SECRET --effect sqlite:app.db --only 'duplicate.*'",
      "test --start 'npm start' --to 3000/webhooks --provider github --effect sqlite:app.db --reporter junit=junit.xml",
      'test --provider shopify --list',
    ],
    notes: [
      'Without events it plays with sample events of --provider. Several events of one resource, oldest first, are also the material of the ordering trials.',
      ENVIRONMENT_NOTE,
    ],
  }).argument('[events...]', 'what to play with: last:5, ids, @tag, files, fixture:NAME');
  addEventOptions(command);
  command
    .optionsGroup('Which trials:')
    .option('--only <glob>', "trials by id, for example 'duplicate.*'; repeatable", collect)
    .option('--skip <glob>', 'trials not to play; repeatable', collect)
    .option('--list', 'show what would be played and why not; send nothing')
    .option('--bail', 'stop behind the first trial that fails')
    .option('--strict', 'a skipped trial makes the run inconclusive')
    .option('--repeat <n>', 'play the suite this often, each time with other ids', readCount, 1)
    .option('--seed <n>', 'fixes the schedule and every choice (default: a new one, printed)', readSeed)
    .option('--concurrency <n>', 'the most deliveries that are open at a time', readCount, CONCURRENCY)
    .option('--max-skew <duration>', 'how late sending may be before a trial proves nothing', REPLAY_DEFAULTS.maxSkew);
  addProcessOptions(command);
  addEffectOptions(command);
  addDeliveryOptions(command);
  addReporterOption(command);
  readEnvironment(command);
  command.action(async (selectors: readonly string[], _options: unknown, self: Command) => {
    const { test } = await import('./test-action.ts');
    context.exit(await test(selectors, optionsOf<TestOptions>(self), context));
  });
}

function addProcessOptions(command: Command): void {
  command
    .optionsGroup("The receiver's process:")
    .option('--start <command>', 'start the receiver, wait for it, stop it at the end')
    .option('--ready <url>', 'ready when this answers 2xx (default: when the port of --to accepts)')
    .option(
      '--instances <n>',
      'start so many, each on a port of its own ({port} in --start, PORT); deliveries go to each in turn',
      readCount,
      1,
    )
    .option(
      '--intercept <variable>',
      'stand in front of the dependency whose URL this variable holds, NAME or NAME=URL; repeatable',
      collect,
    )
    .option(
      '--crash-at <boundary>',
      'kill it only there, as a finding names it: DATABASE_URL:after:2; repeatable',
      collect,
    );
}
