import type { Command } from 'commander';
import type { Context } from './context.ts';
import { isUntouched } from './environment.ts';
import { isJsonReporter } from './reporter-option.ts';
import type { Settings } from './settings.ts';

/** Gives a command the values that environment, `.env` and config file hold for the options not given as flags. */
export async function configure(command: Command, context: Context): Promise<void> {
  if (!isUntouched(command)) await applySettings(command, context);
}

/** The same for any command, and what was read. @throws UserError when something in them is wrong; then nothing is changed */
export async function applySettings(command: Command, context: Context): Promise<Settings> {
  const { readSettings } = await import('./settings.ts');
  const read = await readSettings(command, context);
  const { settings, envFile } = read;
  for (const { owner, shape, value, origin } of settings) {
    if (origin.kind === 'flag' || origin.kind === 'default') continue;
    owner.setOptionValueWithSource(shape.key, value, origin.kind);
  }
  const { json, reporter = [], color, secret = [] } = command.optsWithGlobals<Effective>();
  context.adopt({
    json: json || reporter.some(isJsonReporter),
    color,
    variables: secretVariables(secret, envFile.variables),
  });
  return read;
}

type Effective = {
  readonly json?: boolean;
  readonly reporter?: readonly string[];
  readonly color?: boolean;
  readonly secret?: readonly string[];
};

/** Of `.env` only what is asked for by `--secret env:NAME`: programs that we start get no other variables than by hand. */
function secretVariables(
  secrets: readonly string[],
  variables: Readonly<Record<string, string | undefined>>,
): Readonly<Record<string, string>> {
  const names = secrets.flatMap((secret) => /^env:(.+)$/.exec(secret)?.[1] ?? []);
  return Object.fromEntries(names.flatMap((name) => (variables[name] === undefined ? [] : [[name, variables[name]]])));
}
