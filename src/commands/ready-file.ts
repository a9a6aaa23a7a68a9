import { rmSync } from 'node:fs';
import { resolve } from 'node:path';
import { messageOf, UserError } from '../support/errors.ts';
import { assertWritable, writeAtomically } from './write-atomically.ts';

/**
 * Takes an old file away now, so that nobody reads the URL of a capture that is gone.
 * @returns writes the URL; whoever sees the file sees all of it
 */
export function readyFile(name: string | undefined, cwd: string): (url: string) => void {
  if (name === undefined) return () => {};
  const file = resolve(cwd, name);
  const guarded = (work: () => void) => {
    try {
      work();
    } catch (error) {
      throw new UserError('READY_FILE', `The file "${name}" (--ready-file) cannot be written: ${messageOf(error)}.`, {
        hint: 'Name a file in a folder that exists and may be written.',
        cause: error,
      });
    }
  };
  guarded(() => {
    assertWritable(file);
    rmSync(file, { force: true });
  });
  return (url) => guarded(() => writeAtomically(file, [Buffer.from(`${url}\n`)]));
}
