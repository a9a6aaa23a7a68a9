import type { Command, CommanderError } from 'commander';
import { UserError } from '../support/errors.ts';
import { nearest } from '../support/nearest.ts';

/**
 * What commander found wrong with the words of a command line, as a mistake with its place and what to do.
 * @param command the one that was being read; the whole program when no command was recognised
 */
export function usageError({ code, message }: CommanderError, command: Command): UserError {
  const text = message.replace(/^error: /, '').replace(/\n\(Did you mean [^\n]*\)$/, '');
  const name = command.parent ? `webhook-replay ${command.name()}` : 'webhook-replay';
  const help = `${name} --help`;
  const [, first = ''] = /'(.*)'/s.exec(text) ?? [];
  const fail = (error: string, sentence: string, hint?: string) =>
    new UserError(error, sentence, { hint: [hint, `See ${help}.`].filter(Boolean).join(' ') });
  switch (code) {
    case 'commander.unknownCommand':
      return unknownCommand(first, command);
    case 'commander.unknownOption':
      return fail('UNKNOWN_OPTION', `${name} has no option "${flagOf(first)}".`, meantOption(flagOf(first), command));
    case 'commander.missingArgument':
      return fail('MISSING_ARGUMENT', `${name} needs <${first}>, and it is missing.`);
    case 'commander.optionMissingArgument':
      return fail('MISSING_VALUE', `The option ${first} needs a value, and none follows it.`);
    case 'commander.invalidArgument':
      return fail('BAD_VALUE', ...badValue(text));
    case 'commander.excessArguments':
      return fail('TOO_MANY_ARGUMENTS', `${name} was given too many words: ${countsOf(text)}.`, QUOTE_HINT);
    default:
      return fail('USAGE', `${text.charAt(0).toUpperCase()}${text.slice(1).replace(/\.?$/, '.')}`);
  }
}

/** Without its value, which may be a secret. */
function flagOf(word: string): string {
  return word.replace(/=.*$/s, '');
}

function meantOption(flag: string, command: Command): string | undefined {
  const options = [...command.options, ...(command.parent?.options ?? [])].filter(({ hidden }) => !hidden);
  const close = nearest(
    flag,
    options.flatMap(({ long }) => long ?? []),
  );
  return close && `Did you mean ${close}?`;
}

/** `option '--seed <n>' argument 'x' is invalid. Why.`, and the same of an environment variable. */
function badValue(text: string): readonly [sentence: string, why: string] {
  const [, flag = '', value = '', variable, why = ''] =
    /^option '(.*?)' (?:argument|value) '(.*?)'(?: from env '(.*)')? is invalid\. ?(.*)$/s.exec(text) ?? [];
  const from = variable === undefined ? '' : ` (from ${variable})`;
  return [`"${value}"${from} does not fit ${flag}.`, why];
}

const QUOTE_HINT = 'A value with blanks or * must stand in quotes.';

function countsOf(text: string): string {
  const [, expected = '', got = ''] = /Expected (\d+) arguments? but got (\d+)/.exec(text) ?? [];
  return expected === '0' ? `it takes none and got ${got}` : `it takes ${expected} and got ${got}`;
}

/** @param command the program */
export function unknownCommand(word: string, command: Command): UserError {
  const names = command.commands.flatMap((known) => [known.name(), ...known.aliases()]);
  const close = nearest(word, names);
  return new UserError('UNKNOWN_COMMAND', `There is no command "${word}".`, {
    hint: `${close ? `Did you mean ${close}? ` : ''}webhook-replay --help lists them.`,
  });
}
