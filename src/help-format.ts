import type { Argument, Command, Help, Option } from 'commander';
import { descriptionOf } from './commands/define.ts';
import { foldCommand } from './support/fold-command.ts';
import type { Output } from './support/output.ts';
import { pushTo } from './support/push-to.ts';

/** Longer lines are hard to read, however wide the terminal is. */
const WIDEST = 100;
const INDENT = 2;
const GAP = 2;
/** With less room than this beside the names, each description stands below its name. */
const LEAST_BESIDE = 34;
const BELOW = 6;

/** How every help text is laid out: what it does, examples, usage, then options and commands in groups. */
export function helpFormat(out: Output): Partial<Help> {
  return {
    sortSubcommands: false,
    showGlobalOptions: true,
    commandUsage: (command) => usageOf(command),
    optionDescription: (option) => optionText(option),
    formatHelp: (command, help) => `${sections(command, help, out).join('\n\n')}\n`,
  };
}

export function helpWidth({ columns }: Output): number {
  return Math.min(columns, WIDEST);
}

type Item = readonly [name: string, text: string];

function sections(command: Command, help: Help, out: Output): readonly string[] {
  const { examples, notes = [] } = descriptionOf(command);
  const width = help.helpWidth ?? 80;
  const title = (text: string) => out.paint.bold(text);
  const list = (heading: string, items: readonly Item[]) =>
    items.length === 0 ? [] : [`${title(heading)}\n${itemLines(items, help, widestName(command, help)).join('\n')}`];
  return [
    ...[help.commandDescription(command)].filter((text) => text !== '').map((text) => help.boxWrap(text, width)),
    ...(examples.length === 0 ? [] : [`${title('Examples:')}\n${exampleLines(examples, width).join('\n')}`]),
    usageLines(command, { help, title }),
    ...list('Arguments:', help.visibleArguments(command).map(argumentItem(help))),
    ...(command.parent ? [] : commandLists(command, help).flatMap(([heading, items]) => list(heading, items))),
    ...optionLists(command, help).flatMap(([heading, items]) => list(heading, items)),
    ...list('Options of every command:', globalOptions(command, help).map(optionItem(help))),
    ...notes.map((note) => help.boxWrap(note, width)),
  ];
}

function usageOf(command: Command): string {
  const names: string[] = [];
  for (let at: Command | null = command; at; at = at.parent) names.unshift(at.name());
  const words = command.registeredArguments.map(argumentText);
  return [...names, '[options]', ...(command.parent ? words : ['<command>'])].join(' ');
}

function argumentText(argument: Argument): string {
  const name = `${argument.name()}${argument.variadic ? '...' : ''}`;
  return argument.required ? `<${name}>` : `[${name}]`;
}

function usageLines(
  command: Command,
  { help, title }: { readonly help: Help; readonly title: (text: string) => string },
) {
  const usage = `${title('Usage:')} ${help.commandUsage(command)}`;
  const aliases = command.aliases();
  return aliases.length === 0 ? usage : `${usage}\n${title('Alias:')} ${aliases.join(', ')}`;
}

/** A line that is too long goes on below, the way a shell takes it. */
function exampleLines(examples: readonly string[], width: number): readonly string[] {
  return examples.flatMap((example) => {
    const [first = '', ...more] = foldCommand(`webhook-replay ${example}`, width - INDENT - 4);
    return [`  $ ${first}`, ...more.map((line) => `      ${line}`)];
  });
}

function argumentItem(help: Help): (argument: Argument) => Item {
  return (argument) => [help.argumentTerm(argument), help.argumentDescription(argument)];
}

function optionItem(help: Help): (option: Option) => Item {
  return (option) => [help.optionTerm(option), help.optionDescription(option)];
}

/** Variables are told in one note: every option has one. */
function optionText({ description, mandatory, defaultValue, defaultValueDescription, ...option }: Option): string {
  const fallback = defaultValueDescription ?? (option.required && !mandatory ? defaultValue : undefined);
  return fallback === undefined ? description : `${description} (default: ${fallback})`;
}

function globalOptions(command: Command, help: Help): readonly Option[] {
  const all = help.visibleGlobalOptions(command).filter(({ long }) => long !== '--version');
  return command.parent ? [...all, ...help.visibleOptions(command).filter(isHelp)] : [];
}

function isHelp({ long }: Option): boolean {
  return long === '--help';
}

type List = readonly [heading: string, items: readonly Item[]];

function optionLists(command: Command, help: Help): readonly List[] {
  const own = help.visibleOptions(command).filter((option) => !command.parent || !isHelp(option));
  return grouped(own, (option) => option.helpGroupHeading ?? 'Options:', optionItem(help));
}

function commandLists(command: Command, help: Help): readonly List[] {
  const item = (sub: Command): Item => [sub.name(), help.subcommandDescription(sub)];
  return grouped(help.visibleCommands(command), (sub) => sub.helpGroup(), item);
}

function grouped<T>(things: readonly T[], headingOf: (thing: T) => string, itemOf: (thing: T) => Item): List[] {
  const lists = new Map<string, Item[]>();
  for (const thing of things) pushTo(lists, headingOf(thing), itemOf(thing));
  return [...lists];
}

/** One column of names for all lists of a command. */
function widestName(command: Command, help: Help): number {
  const names = [
    ...help.visibleArguments(command).map((argument) => help.argumentTerm(argument)),
    ...help.visibleOptions(command).map((option) => help.optionTerm(option)),
    ...help.visibleGlobalOptions(command).map((option) => help.optionTerm(option)),
  ];
  return Math.max(...names.map((name) => name.length));
}

function itemLines(items: readonly Item[], help: Help, nameWidth: number): readonly string[] {
  const width = help.helpWidth ?? 80;
  const beside = width - INDENT - nameWidth - GAP;
  return items.flatMap(([name, text]) => {
    if (beside < LEAST_BESIDE) {
      return [`  ${name}`, ...wrapTo(text, width - BELOW, help).map((line) => `${' '.repeat(BELOW)}${line}`)];
    }
    const [first = '', ...more] = wrapTo(text, beside, help);
    const indent = ' '.repeat(INDENT + nameWidth + GAP);
    return [`  ${name.padEnd(nameWidth)}  ${first}`.trimEnd(), ...more.map((line) => `${indent}${line}`)];
  });
}

function wrapTo(text: string, width: number, help: Help): readonly string[] {
  return text === '' ? [] : help.boxWrap(text, Math.max(20, width)).split('\n');
}
