import { buffer } from 'node:stream/consumers';
import { UserError } from '../support/errors.ts';
import type { Context } from './context.ts';
import { readNamedFile } from './read-file.ts';

/** The bytes of `--body`: `@FILE`, `-` for standard input, else the text itself. */
export async function readBodyOption(text: string, context: Context): Promise<Uint8Array> {
  if (text === '-') return readInput(context);
  return text.startsWith('@') ? readNamedFile(text.slice(1), context) : Buffer.from(text, 'utf8');
}

/** The bytes of a file, or of standard input for `-`. */
export async function readFileArgument(path: string, context: Context): Promise<Uint8Array> {
  return path === '-' ? readInput(context) : readNamedFile(path, context);
}

async function readInput({ stdin }: Context): Promise<Uint8Array> {
  if (stdin.isTTY) {
    throw new UserError('NO_INPUT', '"-" reads standard input, and that is a terminal.', {
      hint: 'Pipe the bytes in, or name a file with @FILE.',
    });
  }
  return await buffer(stdin);
}
