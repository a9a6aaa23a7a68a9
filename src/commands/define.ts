import type { Command } from 'commander';
import type { GlobalOptions } from './context.ts';

export type Description = {
  /** One line, shown in the list of commands and on top of the command's own help. */
  readonly summary: string;
  /** Real command lines without the program's name; two to four. */
  readonly examples: readonly string[];
};

/** Makes a subcommand whose help starts with what it does and how it is used. */
export function defineCommand(program: Command, usage: string, { summary, examples }: Description): Command {
  const lines = examples.map((example) => `  $ webhook-replay ${example}`);
  return program
    .command(usage)
    .summary(summary)
    .addHelpText('before', `${summary}\n\nExamples:\n${lines.join('\n')}\n`);
}

/** For options that may be given several times. */
export function collect(value: string, before: readonly string[] | undefined): readonly string[] {
  return [...(before ?? []), value];
}

/** A command's own options together with the global ones. */
export function optionsOf<T extends object>(command: Command): T & GlobalOptions {
  return command.optsWithGlobals<T & GlobalOptions>();
}
