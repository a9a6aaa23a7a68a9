import { Command, type CommanderError } from 'commander';
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

const CORPUS_TEXT =
  'where events and runs are kept (env: WEBHOOK_REPLAY_CORPUS; default: .webhook-replay/corpus.db of the project)';

const NOTES = [
  'Exit codes: 0 held, 1 the receiver is at fault, 2 wrong usage and nothing was sent, 3 could not tell, 70 our bug, 130 interrupted.',
  'More: webhook-replay help COMMAND',
];

type Wanted = {
  /** Help and version come out as JSON documents, too. */
  readonly json?: boolean;
  /** False: without its commands, which take time to make, where only the version is asked for. */
  readonly commands?: boolean;
};

/** The whole command tree. Actions run in `context` and leave their exit code there; wrong words throw `UserError`. */
export function buildProgram(context: Context, { json = false, commands = true }: Wanted = {}): Command {
  const program = describe(new Command('webhook-replay'), { examples: EXAMPLES, notes: NOTES })
    .description(DESCRIPTION)
    .version(VERSION, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'explain this command')
    .option('--corpus <file>', CORPUS_TEXT)
    .option('--config <file>', 'settings (default: webhook-replay.config.json, here or further up)')
    .option('--json', 'one JSON document on standard output; text for people on standard error')
    .option('-q, --quiet', 'say only the result')
    .option('-v, --verbose', 'say more')
    .option('--no-color', 'no colour, as with NO_COLOR')
    .option('--no-input', 'never ask; what is missing is an error')
    .hook('preAction', (_program, command) => configure(command, context))
    .configureHelp(helpFormat(context.out))
    .configureOutput({
      writeOut: (text) => (json ? context.out.jsonLine(documentOf(text)) : context.out.write(text)),
      // Errors are thrown by exitOverride and written once, by main.
      writeErr: () => {},
      getOutHelpWidth: () => helpWidth(context.out),
      getErrHelpWidth: () => helpWidth(context.err),
      getOutHasColors: () => context.out.paint.level > 0,
    });
  if (commands) for (const register of COMMANDS) register(program, context);
  for (const command of [program, ...program.commands]) command.exitOverride((error) => leave(error, command));
  return program;
}

function documentOf(text: string): object {
  return text.trim() === VERSION
    ? { schema: 'webhook-replay/version/1', name: 'webhook-replay', version: VERSION }
    : { schema: 'webhook-replay/help/1', help: text };
}

/** Help and version end the command line as well, and are no mistake. */
function leave(error: CommanderError, command: Command): never {
  throw error.exitCode === 0 || error.code === 'commander.help' ? error : usageError(error, command);
}
