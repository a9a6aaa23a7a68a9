import { appendFileSync, closeSync, mkdirSync, openSync, statSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { messageOf, UserError } from '../support/errors.ts';
import { assertWritable, writeAtomically } from './write-atomically.ts';

export type ReportFile = {
  /** Empties the file and returns what writes to its end. */
  readonly openStream: () => (text: string) => void;
  readonly replace: (text: string) => void;
  readonly append: (text: string) => void;
  /** Bytes; 0 when it is not there yet. */
  readonly size: () => number;
};

/**
 * A file that a report goes to, and its folder, which is made. Throws `UserError` when it cannot be written.
 * @param reporter named in the error
 */
export function fileForReports(file: string, reporter: string, access: 'replace' | 'append' = 'replace'): ReportFile {
  try {
    mkdirSync(dirname(file), { recursive: true });
    if (access === 'append') closeSync(openSync(file, 'a'));
    else assertWritable(file);
  } catch (error) {
    throw new UserError(
      'UNWRITABLE_FILE',
      `The report "${file}" (${reporter}) cannot be written: ${messageOf(error)}`,
      {
        hint: 'Name a file in a folder that may be written to. Nothing was sent.',
      },
    );
  }
  return {
    openStream: () => {
      const handle = openSync(file, 'w');
      return (text) => void writeSync(handle, text);
    },
    replace: (text) => writeAtomically(file, [Buffer.from(text)]),
    append: (text) => appendFileSync(file, text),
    size: () => statSync(file, { throwIfNoEntry: false })?.size ?? 0,
  };
}
