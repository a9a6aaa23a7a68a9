import type { Command } from 'commander';
import type { Context } from './context.ts';
import { defineCommand, optionsOf } from './define.ts';
import { addDeliveryOptions } from './delivery-options.ts';
import { addEffectOptions, addEventOptions } from './effect-options.ts';
import { ENVIRONMENT_NOTE, readEnvironment } from './environment.ts';
import { readCount, readSeed } from './number-option.ts';
import { REPLAY_DEFAULTS, type ReplayOptions } from './replay-flags.ts';
import { addReporterOption } from './reporter-option.ts';

export function registerReplay(program: Command, context: Context): void {
  const command = defineCommand(program, 'replay', {
    group: 'judge',
    summary: 'Send events again with a pattern, and judge what happens.',
    examples: [
      'replay last --to 3000 --secret env:STRIPE_SECRET --effect sqlite:app.db',
      'replay evt_1Nv --to localhost:3000/hooks --pattern concurrent:2 --effect sqlite:app.db#orders',
      "replay last:3 --to 3000 --pattern out-of-order --effect 'http://localhost:3000/orders'",
      'replay fixture:stripe/payment_intent.succeeded --to 3000 --pattern burst:20 --speed 3600x --dry-run',
    ],
    notes: [ENVIRONMENT_NOTE],
  })
    .alias('resend')
    .argument('[events...]', "last, ids, @tag, 'type:GLOB', files, fixture:NAME; webhook-replay help events");
  addEventOptions(command);
  addPlanOptions(command);
  addEffectOptions(command);
  addDeliveryOptions(command);
  addReporterOption(command);
  readEnvironment(command);
  command.action(async (selectors: readonly string[], _options: unknown, self: Command) => {
    const { askForMissing } = await import('./ask-for-missing.ts');
    const { replay } = await import('./replay-action.ts');
    const events = await askForMissing(selectors, self, context);
    context.exit(await replay(events, optionsOf<ReplayOptions>(self), context));
  });
}

function addPlanOptions(command: Command): void {
  command
    .optionsGroup('How they arrive:')
    .option(
      '-p, --pattern <pattern>',
      'once, duplicate, concurrent, out-of-order, delay, burst, retry; p+q combines; webhook-replay help patterns',
      REPLAY_DEFAULTS.pattern,
    )
    .option('--seed <n>', 'fixes the plan and every choice (default: a new one, printed)', readSeed)
    .option(
      '--rounds <n>',
      'how often, with ids of its own each (default: 20 for concurrent with --effect, else 1)',
      readCount,
    )
    .option('--speed <factor>', "compresses the provider's retry delays, for example 3600x", REPLAY_DEFAULTS.speed)
    .option('--ordered', "strictly one delivery after the other's answer")
    .option('--concurrency <n>', 'the most deliveries that are open at a time', readCount, REPLAY_DEFAULTS.concurrency)
    .option('--max-skew <duration>', 'how late sending may be before the run proves nothing', REPLAY_DEFAULTS.maxSkew)
    .option('--new-ids', 'send events with new ids also without --effect')
    .option('-n, --dry-run', 'print the plan and send nothing');
}
