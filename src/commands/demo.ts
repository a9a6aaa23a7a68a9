import type { Command } from 'commander';
import { Option } from 'commander';
import type { Context, GlobalOptions } from './context.ts';
import { defineCommand, optionsOf } from './define.ts';
import type { DemoOptions } from './demo-flags.ts';

export function registerDemo(program: Command, context: Context): void {
  defineCommand(program, 'demo', {
    group: 'start',
    summary: 'See a second side effect happen, and a receiver without one.',
    examples: ['demo'],
    notes: ['It takes less than half a minute and no network: both receivers run here and are gone afterwards.'],
  })
    .addOption(new Option('--wrong <receiver>', 'the receiver that must fail').default('naive').hideHelp())
    .addOption(new Option('--right <receiver>', 'the receiver that must pass').default('transaction').hideHelp())
    .action(async (_options: unknown, self: Command) => {
      const { demo } = await import('./demo-action.ts');
      context.exit(await demo(optionsOf<DemoOptions & GlobalOptions>(self), context));
    });
}
