import { CommanderError } from 'commander';
import type { Context, ExitCode } from './commands/context.ts';
import { buildProgram } from './program.ts';
import { systemClock } from './support/clock.ts';
import { UserError } from './support/errors.ts';
import { createOutput } from './support/output.ts';
import { createRedactor } from './support/redact.ts';

/** Runs one command line. Never throws, never ends the process; the caller sets the exit code. */
export async function main(argv: readonly string[]): Promise<ExitCode> {
  const words = argv.slice(2, argv.includes('--') ? argv.indexOf('--') : undefined);
  surviveClosedPipes();
  let code: ExitCode = 0;
  const context = processContext(!words.includes('--no-color'), (exit) => {
    code = exit;
  });
  try {
    await buildProgram(context).parseAsync([...argv]);
    return code;
  } catch (error) {
    return report(error, context, words.includes('--json'));
  }
}

function processContext(color: boolean, exit: Context['exit']): Context {
  const redactor = createRedactor();
  const options = { env: process.env, redactor, color };
  return {
    env: process.env,
    cwd: process.cwd(),
    stdin: process.stdin,
    out: createOutput(process.stdout, options),
    err: createOutput(process.stderr, options),
    redactor,
    clock: systemClock,
    interrupted: takeOverSignals,
    exit,
  };
}

/** `| head` closes our output early; that is the reader's right and changes no exit code. */
function surviveClosedPipes(): void {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') throw error;
    });
  }
}

let interruption: AbortController | undefined;

function takeOverSignals(): AbortSignal {
  if (interruption) return interruption.signal;
  const controller = new AbortController();
  interruption = controller;
  const stop = () => {
    if (controller.signal.aborted) process.exit(130);
    controller.abort();
  };
  process.on('SIGINT', stop).on('SIGTERM', stop);
  return controller.signal;
}

function report(error: unknown, context: Context, json: boolean): ExitCode {
  if (error instanceof CommanderError && error.exitCode === 0) return 0;
  const known = error instanceof CommanderError ? usageError(error) : error;
  if (known instanceof UserError) {
    writeError(known, context, json);
    return known.exitCode;
  }
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
  writeError(
    new UserError('INTERNAL', `This is a bug in webhook-replay, not in your receiver.\n${text}`, {
      hint: 'Please report it with the command line and the lines above.',
    }),
    context,
    json,
  );
  return 70;
}

function writeError(error: UserError, { out, err }: Context, json: boolean): void {
  err.write(`${err.paint.red('error:')} ${error.message}\n`);
  if (error.hint) err.write(`  ${err.paint.cyan('hint:')} ${error.hint}\n`);
  if (!json) return;
  const { code, message, hint } = error;
  out.write(
    `${JSON.stringify({ schema: 'webhook-replay/report/1', verdict: 'error', error: { code, message, hint: hint ?? null } }, null, 2)}\n`,
  );
}

/** commander puts its suggestion on a second line, in parentheses. */
function usageError(error: CommanderError): UserError {
  if (error.code === 'commander.help') {
    return new UserError('USAGE', 'No command was given.', {
      hint: 'webhook-replay --help lists them; webhook-replay demo shows the tool at work.',
    });
  }
  const [message = '', suggestion] = error.message.replace(/^error: /, '').split('\n');
  const hint = suggestion?.replace(/^\((.*)\)$/, '$1') ?? 'See webhook-replay --help, or --help behind a command.';
  return new UserError('USAGE', `${message.charAt(0).toUpperCase()}${message.slice(1)}.`, { hint });
}
