import type { Command } from 'commander';
import type { Context } from './context.ts';
import { collect, defineCommand, optionsOf } from './define.ts';
import type { ImportFlags } from './import-flags.ts';

export function registerImport(program: Command, context: Context): void {
  defineCommand(program, 'import <files...>', {
    summary: 'Put events from files into the corpus: raw HTTP, JSONL, curl, or a bare body.',
    examples: [
      'import captured/*.http',
      'import events.jsonl --tag partner',
      "import body.json --provider github --type issues -H 'X-GitHub-Delivery: 1'",
      'pbpaste | webhook-replay import - --format curl',
    ],
  })
    .option('--format <name>', 'http, jsonl, curl or body; default: what is detected')
    .option('--provider <name>', 'who sent them; default: what is detected')
    .option('--type <name>', 'the type of a bare body that does not say it')
    .option('-H, --header <line>', "a header of a bare body, 'Name: value'; repeatable", collect)
    .option('--method <method>', 'the method of a bare body (default: POST)')
    .option('--path <path>', 'the path and query of a bare body (default: /)')
    .option('--tag <name>', 'give every event this tag; repeatable', collect)
    .addHelpText(
      'after',
      '\nA request that is there already, byte for byte, is not added again. When one file is wrong, nothing is imported.',
    )
    .action(async (files: readonly string[], _options: unknown, self: Command) => {
      const { importFiles } = await import('./import-action.ts');
      await importFiles(files, optionsOf<ImportFlags>(self), context);
    });
}
