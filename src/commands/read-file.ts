import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { messageOf, UserError } from '../support/errors.ts';
import type { Context } from './context.ts';

/**
 * The bytes of a file as the user named it.
 * @param flag the option that names it, for the message
 */
export function readNamedFile(name: string, { cwd }: Pick<Context, 'cwd'>, flag?: string): Buffer {
  try {
    return readFileSync(resolve(cwd, name));
  } catch (error) {
    const where = flag === undefined ? '' : ` (${flag})`;
    throw new UserError('UNREADABLE_FILE', `"${name}" cannot be read: ${messageOf(error)}${where}.`, {
      hint: 'Check its path and its permissions; a path counts from the working folder.',
      cause: error,
    });
  }
}
