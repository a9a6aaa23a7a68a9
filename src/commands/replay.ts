import type { Command } from 'commander';
import type { Context } from './context.ts';
import { collect, defineCommand, optionsOf } from './define.ts';
import { addDeliveryOptions } from './delivery-options.ts';
import { ENVIRONMENT_NOTE, readEnvironment } from './environment.ts';
import { readSeed, wholeNumber } from './number-option.ts';
import { REPLAY_DEFAULTS, type ReplayOptions } from './replay-flags.ts';

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
  readEnvironment(command);
  command.action(async (selectors: readonly string[], _options: unknown, self: Command) => {
    const { replay } = await import('./replay-action.ts');
    context.exit(await replay(selectors, optionsOf<ReplayOptions>(self), context));
  });
}

function addEventOptions(command: Command): void {
  command
    .optionsGroup('Which events:')
    .option('-e, --event <selector>', 'the same as an option; repeatable', collect)
    .option('--type <name>', 'the type of an event whose file does not say it')
    .option('--force', 'replay truncated events, too');
}

const COUNT = wholeNumber({ min: 1, max: 999_999 });

function addPlanOptions(command: Command): void {
  command
    .optionsGroup('How they arrive:')
    .option(
      '-p, --pattern <pattern>',
      'once, duplicate, concurrent, out-of-order, delay, burst, retry; p+q combines; webhook-replay help patterns',
      REPLAY_DEFAULTS.pattern,
    )
    .option('--seed <n>', 'fixes the plan and every choice (default: a new one, printed)', readSeed)
    .option('--rounds <n>', 'how often, with ids of its own each (default: 20 for concurrent, else 1)', COUNT)
    .option('--speed <factor>', "compresses the provider's retry delays, for example 3600x", REPLAY_DEFAULTS.speed)
    .option('--ordered', "strictly one delivery after the other's answer")
    .option('--concurrency <n>', 'the most deliveries that are open at a time', COUNT, REPLAY_DEFAULTS.concurrency)
    .option('--max-skew <duration>', 'how late sending may be before the run proves nothing', REPLAY_DEFAULTS.maxSkew)
    .option('-n, --dry-run', 'print the plan and send nothing');
}

function addEffectOptions(command: Command): void {
  command
    .optionsGroup('Effects:')
    .option(
      '--effect <source>',
      'what to observe, for example sqlite:app.db#orders; repeatable; webhook-replay help effects',
      collect,
    )
    .option('--ignore <glob>', 'bookkeeping that may change: table, table.column, effect#/pointer; repeatable', collect)
    .option('--settle <duration>', 'effects are final when quiet for this long', REPLAY_DEFAULTS.settle)
    .option('--settle-max <duration>', 'and at most after this long', REPLAY_DEFAULTS.settleMax)
    .option('--settle-first <duration>', 'how long the first effect may take', REPLAY_DEFAULTS.settleFirst)
    .optionsGroup('Identities and state:')
    .option('--new-ids', 'send events with new ids also without --effect')
    .option('--keep-ids', 'send events with their captured ids also with --effect (needs --reset)')
    .option('--fresh <pointer>', 'a JSON pointer that is an id and must be renewed; repeatable', collect)
    .option('--keep <pointer>', 'a JSON pointer that is no id and must stay; repeatable', collect)
    .option(
      '--setup <command>',
      'creates what the events refer to, before each round; gets {"old id": "new id"} on standard input',
    )
    .option('--reset <command>', "clears the receiver's state before each round; then the captured ids are sent");
}
