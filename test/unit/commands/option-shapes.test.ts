import type { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import type { Context } from '../../../src/commands/context.ts';
import { sharedKeys } from '../../../src/commands/environment.ts';
import { configShape, shapesOf } from '../../../src/commands/option-shapes.ts';
import { VALUE_RULES } from '../../../src/commands/value-rules.ts';
import { buildProgram } from '../../../src/program.ts';

// Nothing is printed and nothing runs: only the tree of commands is looked at.
const program = buildProgram({ out: {}, err: {} } as unknown as Context);
const all = [program, ...program.commands].flatMap((command) =>
  shapesOf(command).map((shape) => ({ command, shape, of: command.parent ? command.name() : 'every command' })),
);

describe('what a config file may say', () => {
  it('is every option that is not hidden, but help, version and --config', () => {
    const { shared, commands } = configShape(program);
    const places = new Set([...shared, ...Object.values(commands).flat()].map(({ flag }) => flag));
    const flags = [program, ...program.commands].flatMap(visibleFlags);
    expect(flags.filter((flag) => !places.has(flag))).toEqual(['--version', '--config', '--origin', '--next']);
  });

  it('has one kind of value for each name on the top level', () => {
    const shared = all.filter(({ command, shape }) => sharedKeys(command)(shape.key));
    const kinds = new Map<string, Set<string>>();
    for (const { shape } of shared) kinds.set(shape.key, new Set([...(kinds.get(shape.key) ?? []), shape.kind]));
    expect([...kinds].filter(([, different]) => different.size > 1)).toEqual([]);
  });

  it('is a number exactly where the option makes a number of its text', () => {
    const wrong = all.filter(({ shape }) => (shape.kind === 'number') !== (typeof readOf(shape.read) === 'number'));
    expect(wrong.map(({ of, shape }) => `${of} ${shape.usage}`)).toEqual([]);
  });

  it('is checked by rules that belong to an option', () => {
    const known = new Set(all.map(({ shape }) => `${shape.key} <${shape.placeholder}>`));
    expect(Object.keys(VALUE_RULES).filter((rule) => !known.has(rule))).toEqual([]);
  });
});

/** 200 fits every number: a count, a port and a status. */
function readOf(read: ((text: string) => unknown) | undefined): unknown {
  return read?.('200');
}

function visibleFlags(command: Command): readonly string[] {
  return command.options.filter(({ hidden }) => !hidden).flatMap(({ long }) => long ?? []);
}
