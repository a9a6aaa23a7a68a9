import { dirname, relative } from 'node:path';
import type { Command } from 'commander';
import type { ConfigFile } from '../config/config-file.ts';
import { readEnvFile } from '../config/env-file.ts';
import { findConfig } from '../config/find-config.ts';
import { findSetting, type Sources } from '../config/find-setting.ts';
import type { OptionShape } from '../config/option-shape.ts';
import { type Problem, problemsError } from '../config/problem.ts';
import type { Origin } from '../config/setting.ts';
import { projectFolder } from '../support/project-folder.ts';
import type { Context } from './context.ts';
import { sharedKeys } from './environment.ts';
import { configShape, shapesOf } from './option-shapes.ts';
import { type Read, readFound } from './read-found.ts';

/** An option of a command, with the value it has and where that comes from. */
export type Setting = {
  /** The command itself, or the program for an option of every command. */
  readonly owner: Command;
  readonly shape: OptionShape;
  /** As the command will get it: a number where it takes one. */
  readonly value: unknown;
  readonly origin: Origin;
};

/** All settings of a command, and the files they were read from. */
export type Settings = {
  readonly settings: readonly Setting[];
  /** Absolute; `undefined` when there is no config file. */
  readonly configFile: string | undefined;
  readonly envFile: Sources['envFile'];
};

/**
 * Reads what environment, `.env` and config file say for a command whose flags are parsed already.
 * @throws UserError when anything in them is wrong, with its place
 */
export async function readSettings(command: Command, context: Context): Promise<Settings> {
  const program = command.parent ?? command;
  const { configFile, sources } = await openSources(program, context);
  const owned = [command, program].flatMap((owner) => shapesOf(owner).map((shape) => ({ owner, shape })));
  const reads = await Promise.all(owned.map((one) => readSetting({ ...one, sources, context })));
  const problems = reads.flatMap((read) => read.problems);
  if (problems.length > 0) throw problemsError(problems);
  return {
    settings: withoutBeaten(
      reads.map(({ value }) => value),
      command,
    ),
    configFile,
    envFile: sources.envFile,
  };
}

type Opened = { readonly configFile: string | undefined; readonly sources: Sources };

async function openSources(program: Command, context: Context): Promise<Opened> {
  const { cwd, env } = context;
  const named: string | undefined = program.getOptionValue('config') ?? (env['WEBHOOK_REPLAY_CONFIG'] || undefined);
  const configFile = findConfig(cwd, named);
  const folder = configFile === undefined ? (projectFolder(cwd) ?? cwd) : dirname(configFile);
  const { file, variables } = readEnvFile(folder);
  const config = configFile === undefined ? undefined : await openConfig(configFile, program, context);
  return { configFile, sources: { env, envFile: { variables, folder, shown: relative(cwd, file) }, config } };
}

/** Read as a whole, so that a mistake shows at once and not only in the command that it is about. */
async function openConfig(file: string, program: Command, context: Context): Promise<ConfigFile> {
  const { loadConfig } = await import('../config/config-file.ts');
  const shape = configShape(program);
  const config = loadConfig(file, relative(context.cwd, file), shape);
  const problems: Problem[] = [];
  for (const [command, options] of [[undefined, shape.shared] as const, ...Object.entries(shape.commands)]) {
    for (const option of options) {
      const found = config.get(option.key, command);
      if (found) problems.push(...(await readFound(found, option, context)).problems);
    }
  }
  if (problems.length > 0) throw problemsError(problems);
  return config;
}

type Reading = {
  readonly owner: Command;
  readonly shape: OptionShape;
  readonly sources: Sources;
  readonly context: Context;
};

async function readSetting({ owner, shape, sources, context }: Reading): Promise<Read<Setting>> {
  const given = owner.getOptionValue(shape.key) as unknown;
  const isFlag = owner.getOptionValueSource(shape.key) === 'cli';
  const command = owner.parent ? owner.name() : undefined;
  const found = isFlag ? undefined : findSetting(shape, { command, isShared: sharedKeys(owner)(shape.key) }, sources);
  if (!found)
    return { value: { owner, shape, value: given, origin: { kind: isFlag ? 'flag' : 'default' } }, problems: [] };
  const { value, problems } = await readFound(found, shape, context);
  return { value: { owner, shape, value, origin: found.origin }, problems };
}

/** Words on the command line say which event: then none from elsewhere is added. */
function withoutBeaten(settings: readonly Setting[], command: Command): readonly Setting[] {
  const hasWords = command.args.length > 0 || command.getOptionValueSource('body') === 'cli';
  return settings.map((setting) =>
    hasWords && setting.shape.key === 'event' && setting.origin.kind !== 'flag'
      ? { ...setting, value: undefined, origin: { kind: 'default' } }
      : setting,
  );
}
