import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { readSecret } from '../config/secrets.ts';
import { isPostgres } from '../fixtures/receivers/schema.ts';
import { reasonOf } from '../observe/connection-failure.ts';
import { hideCredentials } from '../observe/hide-credentials.ts';
import { UserError } from '../support/errors.ts';
import type { Context } from './context.ts';

/** Where a receiver keeps its rows, as it is opened: the absolute path of a SQLite file, or a URL. */
export async function databasePlace(flag: string | undefined, context: Context): Promise<string> {
  if (flag === undefined) return join(mkdtempSync(join(tmpdir(), 'webhook-replay-receiver-')), 'receiver.db');
  const text = flag.startsWith('env:') ? (await readSecret(flag, context)).value : flag;
  if (isPostgres(text) && URL.canParse(text)) return text;
  const path = text.replace(/^sqlite:/, '');
  if (path !== '' && !/^[a-z]+:\/\//.test(path)) return resolve(context.cwd, path);
  throw new UserError('BAD_DATABASE', `"${hideCredentials(text)}" is no database of a receiver (--db).`, {
    hint: 'Write it like sqlite:app.db, postgres://user@127.0.0.1:5432/shop, or env:DATABASE_URL.',
  });
}

/** What `--effect` takes to observe it, but for the password. */
export function effectSource(place: string): string {
  return isPostgres(place) ? hideCredentials(place) : `sqlite:${place}`;
}

/** What the driver threw when the database was opened, as something the user can act on; `undefined` when it was no driver. */
export function databaseProblem(error: Error, place: string): UserError | undefined {
  const { code, severity } = error as NodeJS.ErrnoException & { readonly severity?: string };
  const cannot = `The database "${hideCredentials(place)}" cannot be used: ${hideCredentials(reasonOf(error))}.`;
  if (!isPostgres(place)) {
    if (!code?.startsWith('SQLITE_') && !(error instanceof TypeError)) return undefined;
    const hint = 'Name a file in a folder that exists and may be written, or leave --db away.';
    return new UserError('DATABASE_UNUSABLE', cannot, { hint, cause: error });
  }
  // Only the server's own words have a severity.
  if (severity !== undefined) {
    const hint = 'Look at user, password and database in the URL, and whether the user may create tables there.';
    return new UserError('DATABASE_UNUSABLE', cannot, { hint, cause: error });
  }
  const hint = 'Is the server running, and are host and port right?';
  return new UserError('DATABASE_UNREACHABLE', cannot, { hint, exitCode: 3, cause: error });
}
