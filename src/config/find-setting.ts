import type { ConfigFile } from './config-file.ts';
import type { EnvFile } from './env-file.ts';
import type { OptionShape } from './option-shape.ts';
import type { Found } from './setting.ts';

export type Variables = Readonly<Record<string, string | undefined>>;

/** Everything that may set an option which was not given as a flag. */
export type Sources = {
  readonly env: Variables;
  /** `shown` is the file's name for messages, `folder` what its paths count from. */
  readonly envFile: Pick<EnvFile, 'variables'> & { readonly shown: string; readonly folder: string };
  readonly config: Pick<ConfigFile, 'get'> | undefined;
};

/** Whose option it is. */
export type Taker = {
  /** Absent for options of the whole program. */
  readonly command?: string | undefined;
  /** Whether what is said for all commands is meant for it, too. */
  readonly isShared: boolean;
};

/** Environment beats `.env` beats config file; in each, what is said of the command beats what is said for all. */
export function findSetting(option: OptionShape, taker: Taker, { env, envFile, config }: Sources): Found | undefined {
  const { command, isShared } = taker;
  return (
    fromEnvironment(option, taker, env) ??
    fromEnvFile(option, taker, envFile) ??
    (command === undefined ? undefined : config?.get(option.key, command)) ??
    (isShared ? config?.get(option.key) : undefined)
  );
}

/** The variables that set an option, the strongest first. */
export function variableNames({ flag }: Pick<OptionShape, 'flag'>, { command, isShared }: Taker): readonly string[] {
  const name = upper(flag.slice('--'.length));
  return [
    ...(command === undefined ? [] : [`WEBHOOK_REPLAY_${upper(command)}_${name}`]),
    ...(isShared ? [`WEBHOOK_REPLAY_${name}`] : []),
  ];
}

function upper(name: string): string {
  return name.toUpperCase().replaceAll('-', '_');
}

function fromEnvironment(option: OptionShape, taker: Taker, env: Variables): Found | undefined {
  const name = setVariable(option, taker, env);
  return name === undefined
    ? undefined
    : { origin: { kind: 'environment', name }, values: valuesOf(option, env[name], name) };
}

function fromEnvFile(option: OptionShape, taker: Taker, envFile: Sources['envFile']): Found | undefined {
  const { variables, shown, folder } = envFile;
  const name = setVariable(option, taker, variables);
  if (name === undefined) return undefined;
  const values = valuesOf(option, variables[name], `${name} in ${shown}`);
  return { origin: { kind: 'env-file', name, file: shown }, folder, values };
}

/** An empty variable says nothing. */
function setVariable(option: OptionShape, taker: Taker, variables: Variables): string | undefined {
  return variableNames(option, taker).find((name) => variables[name]);
}

/** In a list, each line is an entry. */
function valuesOf({ kind }: OptionShape, text: string | undefined, where: string): Found['values'] {
  const values = kind === 'list' ? (text ?? '').split(/\r?\n/).filter((line) => line !== '') : [text];
  return values.map((value) => ({ value, where }));
}
