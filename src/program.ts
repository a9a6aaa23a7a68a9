import { Command, type CommanderError, Option } from 'commander';
import { configure } from './commands/configure.ts';
import type { Context } from './commands/context.ts';
import { describe } from './commands/define.ts';
import { COMMANDS } from './commands/list.ts';
import { usageError } from './commands/usage-error.ts';
import { helpFormat, helpWidth } from './help-format.ts';
import { VERSION } from './version.ts';

const DESCRIPTION =
  'Proves, or disproves, that a webhook receiver is safe under the deliveries it will really get: at least once, late, out of order, in bursts, concurrently.';

const EXAMPLES = ['demo', 'capture --forward localhost:3000/webhooks', 'replay last --to 3000 --effect sqlite:app.db'];

const NOTES = [
  'Exit codes: 0 held, 1 the receiver is at fault, 2 wrong usage and nothing was sent, 3 could not tell, 70 our bug, 130 interrupted.',
  'More: webhook-replay help COMMAND',
];

type Wanted = {
  /** Help and version come out as JSON documents, too. */
  readonly json?: boolean;
};

/** The whole command tree. Actions run in `context` and leave their exit code there; wrong words throw `UserError`. */
export function buildProgram(context: Context, { json = false }: Wanted = {}): Command {
  const program = describe(new Command('webhook-replay'), { examples: EXAMPLES, notes: NOTES })
    .description(DESCRIPTION)
    .version(VERSION, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'explain this command')
    .addOption(
      new Option('--corpus <file>', 'where events and runs are kept (env: WEBHOOK_REPLAY_CORPUS)').default(
        undefined,
        '.webhook-replay/corpus.db of the project',
      ),
    )
    .option('--config <file>', 'settings (default: webhook-replay.config.json, here or further up)')
    .option('--json', 'one JSON document on standard output; text for people on standard error')
    .option('-q, --quiet', 'say only the result')
    .option('-v, --verbose', 'say more')
    .option('--no-color', 'no colour, as with NO_COLOR')
    .option('--no-input', 'never ask; what is missing is an error')
    .hook('preAction', (_program, command) => configure(command, context))
    .configureHelp(helpFormat(context.out))
    .configureOutput({
      writeOut: (text) => context.out.write(json ? asDocument(text) : text),
      // Errors are thrown by exitOverride and written once, by main.
      writeErr: () => {},
      getOutHelpWidth: () => helpWidth(context.out),
      getErrHelpWidth: () => helpWidth(context.err),
      getOutHasColors: () => context.out.paint.level > 0,
    });
  for (const register of COMMANDS) register(program, context);
  for (const command of [program, ...program.commands]) command.exitOverride((error) => leave(error, command));
  return program;
}

function asDocument(text: string): string {
  const document =
    text.trim() === VERSION
      ? { schema: 'webhook-replay/version/1', name: 'webhook-replay', version: VERSION }
      : { schema: 'webhook-replay/help/1', help: text };
  return `${JSON.stringify(document)}\n`;
}

/** Help and version end the command line as well, and are no mistake. */
function leave(error: CommanderError, command: Command): never {
  throw error.exitCode === 0 || error.code === 'commander.help' ? error : usageError(error, command);
}
