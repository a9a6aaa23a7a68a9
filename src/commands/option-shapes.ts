import { type Command, InvalidArgumentError, type Option } from 'commander';
import type { ConfigShape, OptionShape } from '../config/option-shape.ts';
import { UserError } from '../support/errors.ts';
import { collect } from './define.ts';
import { hasSettings, sharedKeys } from './environment.ts';

const NOT_SETTINGS = ['--help', '--version', '--config'];
/** What stands for a number in usage texts. */
const NUMBERS = ['n', 'number', 'count', 'seed'];

/** An option as config file and environment see it; `undefined` for one that only makes sense as a flag. */
export function shapeOf(option: Option): OptionShape | undefined {
  const { long, hidden } = option;
  if (!long || hidden || NOT_SETTINGS.includes(long)) return undefined;
  const placeholder = /[<[](.+?)(?:\.\.\.)?[>\]]/.exec(option.flags)?.[1];
  const usage = placeholder === undefined ? long : `${long} <${placeholder}>`;
  const kind = kindOf(option, placeholder);
  return { key: option.attributeName(), flag: long, usage, placeholder, kind, read: readerOf(option, usage) };
}

function readerOf({ parseArg }: Option, usage: string): OptionShape['read'] {
  if (!parseArg || parseArg === collect) return undefined;
  return (text) => {
    try {
      return parseArg(text, undefined) as unknown;
    } catch (error) {
      if (!(error instanceof InvalidArgumentError)) throw error;
      throw new UserError('BAD_VALUE', `"${text}" does not fit ${usage}.`, { hint: error.message });
    }
  };
}

function kindOf({ parseArg }: Option, placeholder: string | undefined): OptionShape['kind'] {
  if (placeholder === undefined) return 'switch';
  if (parseArg === collect) return 'list';
  return parseArg && NUMBERS.includes(placeholder) ? 'number' : 'text';
}

/** Every option of the program has its place, so the shape of a config file is made from the commands themselves. */
export function configShape(program: Command): ConfigShape {
  const commands = program.commands.filter((command) => hasSettings(command) && shapesOf(command).length > 0);
  const shared = commands.flatMap((command) => shapesOf(command).filter(({ key }) => sharedKeys(command)(key)));
  return {
    shared: distinct([...shapesOf(program), ...shared]),
    commands: Object.fromEntries(commands.map((command) => [command.name(), shapesOf(command)])),
  };
}

export function shapesOf(command: Command): readonly OptionShape[] {
  return command.options.flatMap((option) => shapeOf(option) ?? []);
}

function distinct(shapes: readonly OptionShape[]): readonly OptionShape[] {
  return [...new Map(shapes.map((shape) => [shape.key, shape])).values()];
}
