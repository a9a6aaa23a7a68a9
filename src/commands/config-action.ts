import { relative } from 'node:path';
import type { Command } from 'commander';
import { CONFIG_NAME, findConfig, searched } from '../config/find-config.ts';
import { type Origin, originText } from '../config/setting.ts';
import { UserError } from '../support/errors.ts';
import { nearest } from '../support/nearest.ts';
import type { Context } from './context.ts';
import { optionsOf } from './define.ts';
import { hasSettings } from './environment.ts';
import { readSettings, type Setting, type Settings } from './settings.ts';
import { shownValue } from './shown-value.ts';
import { unknownCommand } from './usage-error.ts';

/** Prints the path of the config file that is read here. */
export function showConfigPath(self: Command, { cwd, env, out }: Context): void {
  const { config, json } = optionsOf<object>(self);
  const file = findConfig(cwd, config ?? (env['WEBHOOK_REPLAY_CONFIG'] || undefined));
  if (json) out.json({ schema: 'webhook-replay/config-path/1', file: file ?? null });
  else if (file !== undefined) out.write(`${file}\n`);
  else throw noConfig(cwd);
}

function noConfig(cwd: string): UserError {
  return new UserError('NO_CONFIG', `There is no ${CONFIG_NAME} in "${searched(cwd).join('", "')}".`, {
    hint: 'Make one in the project folder, or name one with --config FILE.',
  });
}

type Asked = { readonly what: string; readonly name: string; readonly flags: readonly string[] };

/** Prints what a command would work with. */
export async function showConfig({ what, name, flags }: Asked, self: Command, context: Context): Promise<void> {
  if (what !== 'show') {
    const meant = nearest(what, ['show', 'path']);
    throw new UserError('UNKNOWN_ACTION', `config has no "${what}".`, {
      hint: meant ? `Did you mean config ${meant}?` : 'Write config show, or config path.',
    });
  }
  const program = self.parent ?? self;
  const command = program.commands.find((known) => [known.name(), ...known.aliases()].includes(name));
  if (!command) throw unknownCommand(name, program);
  takeFlags(command, flags);
  const read = await readSettings(command, context);
  const settings = hasSettings(command) ? read.settings : [];
  const options = optionsOf<{ readonly origin?: boolean }>(self);
  if (options.json) return context.out.json(asDocument(command, { ...read, settings }));
  await printSettings(settings, options, context);
  if (!options.quiet) context.err.write(about(command, read, context));
}

/** Reads the command's own flags as the command would. */
function takeFlags(command: Command, words: readonly string[]): void {
  const { operands, unknown } = command.parseOptions([...words]);
  command.args = operands;
  const [first] = unknown;
  if (first === undefined) return;
  throw new UserError('UNKNOWN_OPTION', `webhook-replay ${command.name()} has no option "${first}".`, {
    hint: `See webhook-replay ${command.name()} --help.`,
  });
}

async function printSettings(
  settings: readonly Setting[],
  { origin: withOrigin = false }: { readonly origin?: boolean },
  { out }: Context,
): Promise<void> {
  const { renderTable } = await import('../support/table.ts');
  const columns = [{ title: 'SETTING' }, { title: 'VALUE' }, ...(withOrigin ? [{ title: 'ORIGIN' }] : [])];
  const rows = settings.filter(isSet).flatMap(({ shape, value, origin }) =>
    [value].flat().map((one, at) => {
      const isNamed = at === 0 || !out.isTerminal;
      const from = withOrigin ? [isNamed ? originText(origin) : ''] : [];
      return [isNamed ? shape.key : '', String(shownValue(shape.key, one)), ...from];
    }),
  );
  out.write(await renderTable({ columns, rows, width: out.columns, plain: !out.isTerminal, paint: out.paint }));
}

function isSet({ value }: Setting): boolean {
  return value !== undefined;
}

function about(command: Command, { settings, configFile }: Settings, { cwd }: Context): string {
  const unset = settings.filter((setting) => !isSet(setting)).map(({ shape }) => shape.key);
  const file = configFile === undefined ? `no ${CONFIG_NAME}` : `"${relative(cwd, configFile)}"`;
  return `These are the settings of ${command.name()}, with ${file}. Not set: ${unset.join(', ') || 'none'}.\n`;
}

function asDocument(command: Command, { settings, configFile }: Settings): object {
  const entries = settings.map(({ shape, value, origin }) => {
    const shown = Array.isArray(value) ? value.map((one) => shownValue(shape.key, one)) : shownValue(shape.key, value);
    return [shape.key, { value: shown ?? null, origin: originDocument(origin) }] as const;
  });
  return {
    schema: 'webhook-replay/config/1',
    command: command.name(),
    file: configFile ?? null,
    settings: Object.fromEntries(entries),
  };
}

function originDocument(origin: Origin): object {
  return { ...origin, text: originText(origin) };
}
