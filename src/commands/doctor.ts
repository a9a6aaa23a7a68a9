import type { Command } from 'commander';
import type { Context } from './context.ts';
import { collect, defineCommand } from './define.ts';
import { addDeliveryOptions } from './delivery-options.ts';
import { ignoreSettings, readEnvironment } from './environment.ts';

export function registerDoctor(program: Command, context: Context): void {
  const command = defineCommand(program, 'doctor', {
    group: 'start',
    summary: 'Look for what would be in the way: setup, receiver, sources.',
    examples: [
      'doctor',
      'doctor --to 3000 --effect sqlite:app.db',
      'doctor --to 3000/hooks --provider stripe --secret env:STRIPE_SECRET',
    ],
    notes: [
      'With --to and --secret it sends one sample event with new ids, to see whether the signature is accepted.',
      'Exit codes: 0 no problem, 2 something here is wrong, 3 the receiver or a source is.',
    ],
  })
    .optionsGroup('Effects:')
    .option('--effect <source>', 'what would be observed; repeatable; webhook-replay help effects', collect);
  addDeliveryOptions(command);
  readEnvironment(command);
  // A wrong config file is one of the things to be found.
  ignoreSettings(command);
  command.action(async (_options: unknown, self: Command) => {
    const { doctor } = await import('./doctor-action.ts');
    context.exit(await doctor(self, context));
  });
}
