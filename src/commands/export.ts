import type { Command } from 'commander';
import type { Context } from './context.ts';
import { defineCommand, optionsOf } from './define.ts';
import type { ExportFlags } from './export-flags.ts';

export function registerExport(program: Command, context: Context): void {
  defineCommand(program, 'export', {
    group: 'corpus',
    summary: 'Write events to files or standard output.',
    examples: [
      'export > events.jsonl',
      'export @bug -o bug.jsonl',
      "export 'type:invoice.*' --format http -o requests/",
      'export last --format curl',
    ],
    notes: [
      'JSONL keeps everything. Exports hold credentials as they were captured. curl lines go to http://localhost:3000, never to where they were captured.',
    ],
  })
    .argument('[events...]', "ids, @tag, 'type:GLOB', files; all of the corpus when none is named")
    .option('--format <name>', 'jsonl, http or curl; default: by the ending of --output, else jsonl')
    .option('-o, --output <target>', 'a file, a folder (for http), or - for standard output', '-')
    .action(async (selectors: readonly string[], _options: unknown, self: Command) => {
      const { exportEvents } = await import('./export-action.ts');
      await exportEvents(selectors, optionsOf<ExportFlags>(self), context);
    });
}
