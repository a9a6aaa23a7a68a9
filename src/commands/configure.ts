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
  const { json, reporter = [], color, secret = [], intercept = [] } = command.optsWithGlobals<Effective>();
  context.adopt({
    json: json || reporter.some(isJsonReporter),
    color,
    variables: namedVariables({ secret, intercept }, envFile.variables),
  });
  return read;
}

type Effective = {
  readonly json?: boolean;
  readonly reporter?: readonly string[];
  readonly color?: boolean;
  readonly secret?: readonly string[];
  readonly intercept?: readonly string[];
};

/** Of `.env` only what is asked for by `--secret env:NAME` and `--intercept NAME`: programs that we start get no other variables than by hand. */
function namedVariables(
  { secret, intercept }: Required<Pick<Effective, 'secret' | 'intercept'>>,
  variables: Readonly<Record<string, string | undefined>>,
): Readonly<Record<string, string>> {
  const secrets = secret.flatMap((reference) => /^env:(.+)$/.exec(reference)?.[1] ?? []);
  const names = [...secrets, ...intercept.filter((text) => !text.includes('='))];
  return Object.fromEntries(names.flatMap((name) => (variables[name] === undefined ? [] : [[name, variables[name]]])));
}
