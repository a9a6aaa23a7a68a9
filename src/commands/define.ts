import type { Command } from 'commander';
import type { GivenFlag, GlobalOptions } from './context.ts';

/** The sections of the list of commands, in the order of `--help`. */
export type CommandGroup = 'start' | 'corpus' | 'judge' | 'knowledge';

const GROUP_TITLES: Readonly<Record<CommandGroup, string>> = {
  start: 'Start here:',
  corpus: 'Capture and corpus:',
  judge: 'Send and judge:',
  knowledge: 'Signatures and knowledge:',
};

export type Description = {
  readonly group: CommandGroup;
  /** One line of at most 61 characters, shown in the list of commands and on top of the command's own help. */
  readonly summary: string;
  /** Real command lines without the program's name; two to four. */
  readonly examples: readonly string[];
  /** What else one must know, a paragraph each, below the options. */
  readonly notes?: readonly string[] | undefined;
};

const descriptions = new WeakMap<Command, Pick<Description, 'examples' | 'notes'>>();

/** Makes a subcommand whose help starts with what it does and how it is used. */
export function defineCommand(program: Command, usage: string, description: Description): Command {
  const command = program.command(usage).summary(description.summary).description(description.summary);
  return describe(command, description).helpGroup(GROUP_TITLES[description.group]);
}

/** What a command's help shows beyond what commander knows. */
export function describe(command: Command, description: Pick<Description, 'examples' | 'notes'>): Command {
  descriptions.set(command, description);
  return command;
}

export function descriptionOf(command: Command): Pick<Description, 'examples' | 'notes'> {
  return descriptions.get(command) ?? { examples: [] };
}

/** For options that may be given several times. */
export function collect(value: string, before: readonly string[] | undefined): readonly string[] {
  return [...(before ?? []), value];
}

/** A command's own options together with the global ones. */
export function optionsOf<T extends object>(command: Command): T & GlobalOptions {
  return { ...command.optsWithGlobals<T & GlobalOptions>(), given: givenFlags(command) };
}

function givenFlags(command: Command): readonly GivenFlag[] {
  const values: Readonly<Record<string, unknown>> = command.optsWithGlobals();
  const options = [...command.options, ...(command.parent?.options ?? [])];
  return options.flatMap((option): readonly GivenFlag[] => {
    const source = command.getOptionValueSourceWithGlobals(option.attributeName());
    const flag = option.long;
    const value = values[option.attributeName()];
    if (source === undefined || source === 'default' || value === undefined || !flag) return [];
    // A config file can also say that a switch is off.
    if (option.isBoolean()) return value === !option.negate ? [{ flag }] : [];
    return [value].flat().map((one) => ({ flag, value: String(one) }));
  });
}
