import type { Command } from 'commander';
import type { Context } from './context.ts';
import { collect, defineCommand, optionsOf } from './define.ts';
import { addDeliveryOptions } from './delivery-options.ts';
import { ENVIRONMENT_NOTE, readEnvironment } from './environment.ts';
import { readSeed } from './number-option.ts';
import { addReporterOption } from './reporter-option.ts';
import type { SendFlags } from './send-flags.ts';

export function registerSend(program: Command, context: Context): void {
  const command = defineCommand(program, 'send', {
    group: 'judge',
    summary: 'Send one event to a receiver, signed; no capture needed.',
    examples: [
      'send --to 3000 --provider stripe --secret env:STRIPE_SECRET --body @invoice.json',
      'send fixture:stripe/payment_intent.succeeded --to localhost:3000/webhooks --secret env:STRIPE_SECRET',
      'send --to 3000 --provider github --type issues.opened --body \'{"action":"opened"}\'',
    ],
    notes: [ENVIRONMENT_NOTE],
  })
    .alias('trigger')
    .argument('[event]', 'last, an id, a file or fixture:NAME; webhook-replay help events')
    .optionsGroup('What is sent:')
    .option('-e, --event <selector>', 'the event, as an option instead of a word', collect)
    .option('--body <body>', 'the payload: @FILE, - for standard input, or the text itself')
    .option('--type <name>', 'the type of an event whose body does not say it')
    .option('--seed <n>', 'fixes the new ids (default: a new one, printed)', readSeed)
    .option('--new-ids', 'with new ids, so that the receiver takes it for another event')
    .optionsGroup('Effects:')
    .option('--effect <source>', 'what to observe; repeatable; webhook-replay help effects', collect)
    .option('--ignore <glob>', 'bookkeeping that may change; repeatable', collect);
  addDeliveryOptions(command);
  addReporterOption(command);
  readEnvironment(command);
  command.action(async (selector: string | undefined, _options: unknown, self: Command) => {
    const { askForMissing } = await import('./ask-for-missing.ts');
    const { send } = await import('./send-action.ts');
    const [event] = await askForMissing(selector === undefined ? [] : [selector], self, context);
    context.exit(await send(event, optionsOf<SendFlags>(self), context));
  });
}
