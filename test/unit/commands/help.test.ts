import { Chalk } from 'chalk';
import { type Command, Help } from 'commander';
import { describe, expect, it } from 'vitest';
import type { Context } from '../../../src/commands/context.ts';
import { descriptionOf } from '../../../src/commands/define.ts';
import { buildProgram } from '../../../src/program.ts';
import { splitCommandLine } from '../../support/command-line.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const FOLDER = tempFolder();

/** The whole program, writing into nothing; actions are not run. */
function programFor(columns: number): Command {
  const output = { write: () => {}, columns, paint: new Chalk({ level: 0 }) };
  const context = { out: output, err: output, env: {}, cwd: FOLDER, adopt: () => {} };
  const program = buildProgram(context as unknown as Context);
  for (const command of program.commands) command.action(() => {});
  return program;
}

const COMMANDS = new Help().visibleCommands(programFor(80)).map((command) => command.name());

describe.each(COMMANDS)('the help of %s', (name) => {
  const find = (program: Command) => program.commands.find((command) => command.name() === name) as Command;

  it('has a summary that fits its line in the list of commands', () => {
    expect(find(programFor(80)).summary()).toMatch(/^[A-Z].{10,59}\.$/);
  });

  it('has two to four examples, or all there is, and each is a command line that is understood', async () => {
    const { examples } = descriptionOf(find(programFor(80)));
    expect(examples.length).toBeGreaterThan(0);
    for (const example of examples) {
      const words = splitCommandLine(example.replace(/ (?:<|>>?) \S+| \| .*$/g, ''));
      await expect(programFor(80).parseAsync(['node', 'webhook-replay', ...words]), example).resolves.toBeDefined();
    }
  });

  it.each([50, 80, 120])('fits %i columns', (columns) => {
    const lines = find(programFor(columns)).helpInformation().split('\n');
    // What must not be torn: a command line's quoted words, URLs.
    const tooLong = lines.filter((line) => line.length > columns && !/^ {2}\$ |^ {6}-|https?:/.test(line));
    expect(tooLong).toEqual([]);
  });

  it('tells every option', () => {
    const command = find(programFor(80));
    const silent = command.options.filter(({ description, hidden }) => !hidden && description === '');
    expect(silent.map(({ flags }) => flags)).toEqual([]);
  });
});
