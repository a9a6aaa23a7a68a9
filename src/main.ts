import { CommanderError } from 'commander';
import type { Context, ExitCode } from './commands/context.ts';
import { isJsonReporter } from './commands/reporter-option.ts';
import { buildProgram } from './program.ts';
import { systemClock } from './support/clock.ts';
import { type ClosedPipes, surviveClosedPipes } from './support/closed-pipes.ts';
import { Interrupted, messageOf, UserError } from './support/errors.ts';
import { createOutput } from './support/output.ts';
import { createRedactor } from './support/redact.ts';
import { secretWords } from './support/secret-words.ts';

/** Runs one command line. Never throws; the caller sets the exit code. Only a second Ctrl-C and a bug in a callback end the process. */
export async function main(argv: readonly string[]): Promise<ExitCode> {
  const words = argv.slice(2, argv.includes('--') ? argv.indexOf('--') : undefined);
  let json = speaksJson(words);
  const pipes = surviveClosedPipes([process.stdout, process.stderr]);
  let code: ExitCode = 0;
  const context = processContext(!words.includes('--no-color'), {
    exit: (exit) => {
      code = exit;
    },
    json: (wanted) => {
      json = wanted;
    },
  });
  for (const secret of secretWords(words, process.env)) context.redactor.register(secret);
  process.on('uncaughtException', (error) => process.exit(report(error, context, json)));
  try {
    await buildProgram(context, { json, commands: !asksForVersion(words) }).parseAsync([...argv]);
  } catch (error) {
    code = report(error, context, json);
  }
  return await afterWriting(pipes, code, context);
}

function asksForVersion(words: readonly string[]): boolean {
  return words.length === 1 && (words[0] === '--version' || words[0] === '-V');
}

/** Then an error is a JSON document as well, or the last line of a stream of them. */
function speaksJson(words: readonly string[]): boolean {
  const reporters = words.flatMap(
    (word, at) => /^--reporter=(.*)$/.exec(word)?.[1] ?? (words[at - 1] === '--reporter' ? word : []),
  );
  return words.includes('--json') || reporters.some(isJsonReporter);
}

type Told = { readonly exit: Context['exit']; readonly json: (wanted: boolean) => void };

function processContext(color: boolean, told: Told): Context {
  const redactor = createRedactor();
  const options = { env: process.env, redactor, color };
  const out = createOutput(process.stdout, options);
  const err = createOutput(process.stderr, options);
  let env: Context['env'] = process.env;
  return {
    get env() {
      return env;
    },
    cwd: process.cwd(),
    stdin: process.stdin,
    out,
    err,
    redactor,
    clock: systemClock,
    interrupted: takeOverSignals,
    adopt: (adopted) => {
      if (adopted.json !== undefined) told.json(adopted.json);
      if (adopted.color === false) for (const { paint } of [out, err]) paint.level = 0;
      // Not copied without need: on Windows the names of variables match in any case.
      if (Object.keys(adopted.variables ?? {}).length > 0) env = { ...adopted.variables, ...env };
    },
    exit: told.exit,
  };
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

/** Output that could not be written is an error, but for a reader that has left. */
async function afterWriting(pipes: ClosedPipes, code: ExitCode, { err }: Context): Promise<ExitCode> {
  const trouble = await pipes.trouble();
  if (trouble === undefined) return code;
  err.write(`${err.paint.red('error:')} The output could not be written: ${messageOf(trouble)}.\n`);
  return code === 0 ? 2 : code;
}

function report(error: unknown, context: Context, json: boolean): ExitCode {
  if (error instanceof CommanderError) return withoutCommand(error, context, json);
  if (error instanceof Interrupted) {
    writeError(new UserError('INTERRUPTED', error.message), context, json);
    return 130;
  }
  if (error instanceof UserError) {
    writeError(error, context, json);
    return error.exitCode;
  }
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
  const bug = new UserError('INTERNAL', `This is a bug in webhook-replay, not in your receiver.\n${text}`, {
    hint: 'Please report it with the command line and the lines above.',
  });
  writeError(bug, context, json);
  return 70;
}

/** Help and version were asked for and are out. Without a command a person gets the help, too, and a program an error. */
function withoutCommand(error: CommanderError, context: Context, json: boolean): ExitCode {
  if (error.exitCode === 0) return 0;
  if (context.err.isTerminal && !json) {
    context.err.write(buildProgram(context).helpInformation({ error: true }));
    return 2;
  }
  const missing = new UserError('NO_COMMAND', 'No command was given.', {
    hint: 'webhook-replay --help lists them; webhook-replay demo shows the tool at work.',
  });
  writeError(missing, context, json);
  return 2;
}

/** With `--json` also one line on standard output: a document of its own, and a line that a stream of them can end with. */
function writeError({ message, code, hint }: UserError, { out, err }: Context, json: boolean): void {
  err.write(`${err.paint.red('error:')} ${message}\n`);
  if (hint) err.write(`  ${err.paint.cyan('hint:')} ${hint}\n`);
  if (!json) return;
  const document = {
    schema: 'webhook-replay/report/1',
    verdict: 'error',
    error: { code, message, hint: hint ?? null },
  };
  out.jsonLine(document);
}
