import { Interrupted, UserError } from '../support/errors.ts';
import type { Context, GlobalOptions } from './context.ts';

export type Question = {
  readonly question: string;
  /** The flag that answers yes. */
  readonly flag: string;
};

export type Asking = Pick<Context, 'stdin' | 'err' | 'env'>;

/** Asks a yes-no question, no being the default. */
export type Confirm = (
  question: Question,
  options: Pick<GlobalOptions, 'input' | 'json'>,
  context: Asking,
) => Promise<boolean>;

/**
 * Asks on the terminal; the question goes to standard error.
 * @throws UserError that names the flag where nobody can be asked; Interrupted at Ctrl-C
 */
export const confirm: Confirm = async ({ question, flag }, options, context) => {
  if (!canAsk(options, context)) {
    throw new UserError('NOT_CONFIRMED', `${question} Nobody can be asked here, so nothing was done.`, {
      hint: `Say yes with ${flag}.`,
    });
  }
  return await ask(context, (prompts, streams) => prompts.confirm({ message: question, default: false }, streams));
};

type Prompts = typeof import('@inquirer/prompts');
type Streams = { readonly input: Context['stdin']; readonly output: NodeJS.WriteStream };

/** Puts one question to the person at the terminal, on standard error. @throws Interrupted at Ctrl-C */
export async function ask<T>(
  { stdin }: Pick<Context, 'stdin'>,
  question: (prompts: Prompts, streams: Streams) => Promise<T>,
): Promise<T> {
  const prompts = await import('@inquirer/prompts');
  try {
    return await question(prompts, { input: stdin, output: process.stderr });
  } catch (error) {
    if (error instanceof Error && error.name === 'ExitPromptError') {
      throw new Interrupted('Interrupted at the question; nothing was done.');
    }
    throw error;
  }
}

/** True where a person sits at a terminal and did not forbid it. */
export function canAsk({ input }: Pick<GlobalOptions, 'input'>, { stdin, err, env }: Asking): boolean {
  const inCi = !['', '0', 'false'].includes(env['CI'] ?? '');
  return input && stdin.isTTY === true && err.isTerminal && env['TERM'] !== 'dumb' && !inCi;
}
