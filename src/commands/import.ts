import type { Command } from 'commander';
import type { Context } from './context.ts';
import { collect, defineCommand, optionsOf } from './define.ts';
import type { ImportFlags } from './import-flags.ts';

export function registerImport(program: Command, context: Context): void {
  defineCommand(program, 'import', {
    group: 'corpus',
    summary: 'Put events from files into the corpus.',
    examples: [
      'import captured/*.http',
      'import events.jsonl --tag partner',
      "import body.json --provider github --type issues -H 'X-GitHub-Delivery: 1'",
      'import - --format curl < pasted.txt',
    ],
    notes: [
      'A request that is there already, byte for byte, is not added again. When one file is wrong, nothing is imported.',
    ],
  })
    .argument('<files...>', 'raw HTTP requests, JSONL, curl lines or bare bodies; - is standard input')
    .optionsGroup('What they are:')
    .option('--format <name>', 'http, jsonl, curl or body; default: what is detected')
    .option('--provider <name>', 'who sent them; default: what is detected')
    .option('--tag <name>', 'give every event this tag; repeatable', collect)
    .optionsGroup('For a bare body:')
    .option('--type <name>', 'its type, where it does not say it')
    .option('-H, --header <line>', "a header it came with, 'Name: value'; repeatable", collect)
    .option('--method <method>', 'its method (default: POST)')
    .option('--path <path>', 'its path and query (default: /)')
    .action(async (files: readonly string[], _options: unknown, self: Command) => {
      const { importFiles } = await import('./import-action.ts');
      await importFiles(files, optionsOf<ImportFlags>(self), context);
    });
}
