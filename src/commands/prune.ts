import type { Command } from 'commander';
import type { Context } from './context.ts';
import { collect, defineCommand, optionsOf } from './define.ts';
import { wholeNumber } from './number-option.ts';
import type { PruneFlags } from './prune-flags.ts';

export function registerPrune(program: Command, context: Context): void {
  defineCommand(program, 'prune', {
    group: 'corpus',
    summary: 'Remove events from the corpus for good.',
    examples: [
      'prune --older-than 30d',
      'prune --keep 1000 --yes',
      "prune --type 'ping*' --dry-run",
      'prune @noise --yes',
    ],
    notes: ['Every condition given must hold. Removed events cannot be brought back; export them first.'],
  })
    .argument('[events...]', "ids, @tag, 'type:GLOB'; webhook-replay help events")
    .optionsGroup('Which events:')
    .option('--older-than <duration>', 'only events received longer ago than this, for example 30d')
    .option('--keep <n>', 'never the newest n of those that match', wholeNumber({ min: 0 }))
    .option('--type <glob>', 'only events of this type; repeatable', collect)
    .option('--provider <glob>', 'only events of this provider; repeatable', collect)
    .option('--tag <glob>', 'only events with this tag; repeatable', collect)
    .optionsGroup('Doing it:')
    .option('-n, --dry-run', 'say what would be removed, and remove nothing')
    .option('-y, --yes', 'do not ask')
    .action(async (selectors: readonly string[], _options: unknown, self: Command) => {
      const { prune } = await import('./prune-action.ts');
      await prune(selectors, optionsOf<PruneFlags>(self), context);
    });
}
