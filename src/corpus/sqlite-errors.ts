import { UserError } from '../support/errors.ts';

const ADVICE: ReadonlyArray<readonly [code: RegExp, text: string, hint: string]> = [
  [/^SQLITE_BUSY/, 'is locked by another program', 'Wait until it is done, or close it, and try again.'],
  [
    /^SQLITE_FULL|^ENOSPC/,
    'cannot grow: the disk is full',
    'Make room, or remove old events with: webhook-replay prune',
  ],
  [
    /^SQLITE_READONLY|^EACCES|^EPERM|^EROFS/,
    'may not be written',
    'Check its permissions, or name another file with --corpus.',
  ],
  [/^SQLITE_CANTOPEN|^ENOTDIR|^EISDIR/, 'cannot be opened', 'Check the path, or name another file with --corpus.'],
  [
    /^SQLITE_(CORRUPT|NOTADB)/,
    'is damaged',
    'Save what can be read: sqlite3 FILE .recover. Then name a new file with --corpus.',
  ],
  [/^SQLITE_IOERR/, 'could not be read or written', 'Check the disk; a network folder is no place for a corpus.'],
];

/** Runs it; trouble of the file or the disk becomes a UserError that names the file. */
export function withSqliteErrors<T>(file: string, run: () => T): T {
  try {
    return run();
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    const advice = error instanceof UserError ? undefined : ADVICE.find(([pattern]) => pattern.test(code));
    if (!advice) throw error;
    const [, text, hint] = advice;
    throw new UserError('CORPUS_TROUBLE', `The corpus "${file}" ${text} (${code}).`, { hint, cause: error });
  }
}
