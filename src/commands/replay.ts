import { type Command, InvalidArgumentError } from 'commander';
import type { Context } from './context.ts';
import { collect, defineCommand, optionsOf } from './define.ts';
import { addDeliveryOptions, type DeliveryOptions } from './delivery-options.ts';

export type ReplayOptions = DeliveryOptions & {
  readonly event?: readonly string[] | undefined;
  readonly type?: string | undefined;
  readonly force?: boolean | undefined;
  readonly pattern: string;
  readonly seed?: number | undefined;
  readonly rounds?: number | undefined;
  readonly speed: string;
  readonly ordered?: boolean | undefined;
  readonly concurrency: number;
  readonly dryRun?: boolean | undefined;
  readonly effect?: readonly string[] | undefined;
  readonly ignore?: readonly string[] | undefined;
  readonly settle: string;
  readonly settleMax: string;
  readonly settleFirst: string;
  readonly maxSkew: string;
  readonly newIds?: boolean | undefined;
  readonly keepIds?: boolean | undefined;
  readonly fresh?: readonly string[] | undefined;
  readonly keep?: readonly string[] | undefined;
  readonly setup?: string | undefined;
  readonly reset?: string | undefined;
};

export function registerReplay(program: Command, context: Context): void {
  const command = defineCommand(program, 'replay [events...]', {
    summary: 'Send chosen events again with a pattern, and judge what happens.',
    examples: [
      'replay last --to 3000 --secret env:STRIPE_SECRET --effect sqlite:app.db',
      'replay evt_1Nv --to localhost:3000/hooks --pattern concurrent:2 --effect sqlite:app.db#orders',
      "replay last:3 --to 3000 --pattern out-of-order --effect 'http://localhost:3000/orders'",
      'replay fixture:stripe/payment_intent.succeeded --to 3000 --pattern burst:20 --speed 3600x --dry-run',
    ],
  }).alias('resend');
  addEventOptions(command);
  addPlanOptions(command);
  addEffectOptions(command);
  addDeliveryOptions(command);
  command.action(async (selectors: readonly string[], _options: unknown, self: Command) => {
    const { replay } = await import('./replay-action.ts');
    context.exit(await replay(selectors, optionsOf<ReplayOptions>(self), context));
  });
}

function addEventOptions(command: Command): void {
  command
    .option('-e, --event <selector>', 'an id, last, last:5, @tag, type:GLOB, provider:NAME, FILE, fixture:NAME, run:ID; repeatable', collect)
    .option('--type <name>', 'the type of an event whose file does not say it')
    .option('--force', 'replay truncated events, too');
}

function addPlanOptions(command: Command): void {
  command
    .option('-p, --pattern <pattern>', 'once, duplicate[:n], concurrent[:n], out-of-order[:reverse|shuffle|swap], delay:D, burst[:n], retry; p+q combines', 'duplicate')
    .option('--seed <n>', 'fixes the plan and every choice; always printed', wholeNumber)
    .option('--rounds <n>', 'how often the pattern runs with ids of its own (default: 20 for concurrent, else 1)', positiveNumber)
    .option('--speed <factor>', 'compresses the provider’s retry delays, for example 3600x', '1x')
    .option('--ordered', 'strictly one delivery after the other’s answer')
    .option('--concurrency <n>', 'the most deliveries that are open at a time', positiveNumber, 10)
    .option('--max-skew <duration>', 'how late sending may be before the run proves nothing', '250ms')
    .option('-n, --dry-run', 'print the plan and send nothing');
}

function addEffectOptions(command: Command): void {
  command
    .option('--effect <source>', 'what to observe: sqlite:PATH#table, http://URL#/pointer, exec:COMMAND, spy:PORT; NAME=SOURCE names it; repeatable', collect)
    .option('--ignore <glob>', 'bookkeeping that may change: table, table.column, effect:table.column, effect#/pointer; repeatable', collect)
    .option('--settle <duration>', 'effects are final when quiet for this long', '500ms')
    .option('--settle-max <duration>', 'and at most after this long', '30s')
    .option('--settle-first <duration>', 'how long the first effect may take', '5s')
    .option('--new-ids', 'send events with new ids also without --effect')
    .option('--keep-ids', 'send events with their captured ids also with --effect (needs --reset)')
    .option('--fresh <pointer>', 'a JSON pointer that is an id and must be renewed; repeatable', collect)
    .option('--keep <pointer>', 'a JSON pointer that is no id and must stay; repeatable', collect)
    .option('--setup <command>', 'creates what the events refer to; gets {"old id": "new id"} on standard input before each round')
    .option('--reset <command>', 'clears the receiver’s state before each round; then the captured ids are sent');
}

function wholeNumber(text: string): number {
  if (!/^\d{1,10}$/.test(text) || Number(text) > 2 ** 31 - 1) throw new InvalidArgumentError('Give a whole number from 0 to 2147483647.');
  return Number(text);
}

function positiveNumber(text: string): number {
  if (!/^[1-9]\d{0,5}$/.test(text)) throw new InvalidArgumentError('Give a whole number from 1 to 999999.');
  return Number(text);
}
