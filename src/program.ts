import { Command } from 'commander';
import type { Context } from './commands/context.ts';
import { COMMANDS } from './commands/list.ts';
import { VERSION } from './version.ts';

const DESCRIPTION = `Proves, or disproves, that a webhook receiver is safe under the deliveries it will really get:
at least once, late, out of order, in bursts, concurrently.`;

const AFTER = `
Exit codes: 0 held · 1 the receiver is at fault · 2 wrong usage, nothing was sent · 3 could not tell · 70 our bug · 130 interrupted
Start here: webhook-replay demo`;

/** The whole command tree. Actions run in `context` and leave their exit code there. */
export function buildProgram(context: Context): Command {
  const program = new Command('webhook-replay')
    .description(DESCRIPTION)
    .version(VERSION, '-V, --version')
    .option('--corpus <file>', 'the SQLite file that keeps events and runs (default: .webhook-replay/corpus.db)')
    .option('--json', 'standard output is one JSON document; text for people goes to standard error')
    .option('-q, --quiet', 'say only the result')
    .option('-v, --verbose', 'say more')
    .option('--no-color', 'no colour (also: NO_COLOR)')
    .option('--no-input', 'never ask; a missing value is an error')
    .exitOverride()
    .showSuggestionAfterError(true)
    .configureHelp({ showGlobalOptions: true, sortSubcommands: false })
    .configureOutput({
      writeOut: (text) => context.out.write(text),
      // Errors are thrown by exitOverride and written once, by main.
      writeErr: () => {},
      getOutHelpWidth: () => Math.min(context.out.columns, 110),
      getOutHasColors: () => context.out.paint.level > 0,
    })
    .addHelpText('after', AFTER);
  for (const register of COMMANDS) register(program, context);
  return program;
}
