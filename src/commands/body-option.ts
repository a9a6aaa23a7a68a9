import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { messageOf, UserError } from '../support/errors.ts';
import type { Context } from './context.ts';

/** The bytes of `--body`: `@FILE`, `-` for standard input, else the text itself. */
export async function readBodyOption(text: string, context: Context): Promise<Uint8Array> {
  if (text === '-') return readInput(context);
  return text.startsWith('@') ? readBytes(text.slice(1), context) : Buffer.from(text, 'utf8');
}

/** The bytes of a file, or of standard input for `-`. */
export async function readFileArgument(path: string, context: Context): Promise<Uint8Array> {
  return path === '-' ? readInput(context) : readBytes(path, context);
}

async function readBytes(path: string, { cwd }: Context): Promise<Uint8Array> {
  try {
    return await readFile(resolve(cwd, path));
  } catch (error) {
    throw new UserError('UNREADABLE_FILE', `"${path}" cannot be read: ${messageOf(error)}`, {
      hint: 'Check the path; it counts from the working folder.',
    });
  }
}

async function readInput({ stdin }: Context): Promise<Uint8Array> {
  if (stdin.isTTY) {
    throw new UserError('NO_INPUT', '"-" reads standard input, and that is a terminal.', {
      hint: 'Pipe the bytes in, or name a file with @FILE.',
    });
  }
  const chunks: Buffer[] = [];
  for await (const chunk of stdin) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}
