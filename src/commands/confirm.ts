import { UserError } from '../support/errors.ts';
import type { Context, GlobalOptions } from './context.ts';

export type Question = {
  readonly question: string;
  /** The flag that answers yes. */
  readonly flag: string;
};

/**
 * Asks on the terminal; the question goes to standard error. Ctrl-C is a no, and the command then exits with 130.
 * @throws UserError that names the flag where nobody can be asked
 */
export async function confirm(
  { question, flag }: Question,
  { input }: Pick<GlobalOptions, 'input'>,
  { stdin, err, exit }: Context,
): Promise<boolean> {
  if (!input || !stdin.isTTY || !err.isTerminal) {
    throw new UserError('NOT_CONFIRMED', `${question} Nobody can be asked here, so nothing was done.`, {
      hint: `Say yes with ${flag}.`,
    });
  }
  const prompts = await import('@inquirer/prompts');
  try {
    return await prompts.confirm({ message: question, default: false }, { output: process.stderr });
  } catch {
    exit(130);
    return false;
  }
}
