import type { Command, Option } from 'commander';
import { argumentCandidates, type Candidates, commandNames, NOTHING, optionCandidates } from './completion-values.ts';
import type { Context } from './context.ts';
import { collect } from './define.ts';

/** What could stand in the place of the last word, given those before it. */
export async function complete(words: readonly string[], program: Command, context: Context): Promise<Candidates> {
  const current = words.at(-1) ?? '';
  const line = readWords(words.slice(0, -1), program);
  const found = await candidatesOf(current, line, { program, context });
  return { ...found, values: found.values.filter(({ value }) => value.startsWith(current)) };
}

type Around = { readonly program: Command; readonly context: Context };

async function candidatesOf(current: string, line: WordsRead, { program, context }: Around): Promise<Candidates> {
  const { command, awaiting, given, positionals } = line;
  const typed = { command, program, current, corpus: given.get('corpus'), context };
  if (awaiting) return await optionCandidates(awaiting, typed);
  const [, flag, start = ''] = /^(--[^=]+)=(.*)$/s.exec(current) ?? [];
  if (flag !== undefined) {
    const option = findOption(flag, command, program);
    return option ? behindEquals(flag, await optionCandidates(option, { ...typed, current: start })) : NOTHING;
  }
  if (current.startsWith('-')) return flagsOf(command, program, given);
  return command === program ? commandNames({ program }) : await argumentCandidates(positionals, typed);
}

/** `value<TAB>description` a line, and what the shell should do besides. */
export function completionLines({ values, files, nospace }: Candidates): string {
  const lines = values.map(({ value, description }) => (description ? `${value}\t${description}` : value));
  return [...lines, ...(files ? [':files'] : []), ...(nospace ? [':nospace'] : [])].map((line) => `${line}\n`).join('');
}

type WordsRead = {
  /** The program itself as long as no command was named. */
  readonly command: Command;
  /** The option whose value comes next. */
  readonly awaiting: Option | undefined;
  /** Options that are there already, by name, with their values. */
  readonly given: ReadonlyMap<string, string>;
  /** The command's own words. */
  readonly positionals: readonly string[];
};

function readWords(words: readonly string[], program: Command): WordsRead {
  const start: WordsRead = { command: program, awaiting: undefined, given: new Map(), positionals: [] };
  return words.reduce((line, word) => afterWord(line, word, program), start);
}

function afterWord(line: WordsRead, word: string, program: Command): WordsRead {
  const { command, awaiting, given, positionals } = line;
  if (awaiting) return { ...line, awaiting: undefined, given: new Map([...given, [awaiting.attributeName(), word]]) };
  if (word.startsWith('-')) {
    const [flag = '', value] = word.split(/=(.*)/s);
    const option = findOption(flag, command, program);
    if (!option) return line;
    const takesNext = !option.isBoolean() && value === undefined;
    const more = new Map([...given, [option.attributeName(), value ?? '']]);
    return { ...line, given: more, awaiting: takesNext ? option : undefined };
  }
  if (command !== program) return { ...line, positionals: [...positionals, word] };
  const named = program.commands.find((known) => [known.name(), ...known.aliases()].includes(word));
  return { ...line, command: named ?? program };
}

function findOption(flag: string, command: Command, program: Command): Option | undefined {
  return [...command.options, ...program.options].find(({ long, short }) => flag === long || flag === short);
}

function behindEquals(flag: string, { values, ...rest }: Candidates): Candidates {
  return { ...rest, values: values.map(({ value, description }) => ({ value: `${flag}=${value}`, description })) };
}

/** A flag that is there already is offered again only where it may be repeated. */
function flagsOf(command: Command, program: Command, given: WordsRead['given']): Candidates {
  const options = [...new Set([...command.options, ...program.options])].filter(({ hidden }) => !hidden);
  const open = options.filter((option) => option.parseArg === collect || !given.has(option.attributeName()));
  const values = open.flatMap(({ long, description }) => (long ? [{ value: long, description }] : []));
  return { values: [...values, { value: '--help', description: 'explain this command' }] };
}
