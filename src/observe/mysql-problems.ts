import { messageOf, ProbeError } from '../support/errors.ts';
import type { SqlAddress } from './sql-address.ts';
import { hostOf, noAnswer, noPrivilege } from './sql-problems.ts';

type Problem = { readonly errno?: unknown; readonly code?: unknown; readonly sqlState?: unknown };

/** Error numbers of MySQL and MariaDB to what a user can do. */
const SAID: Readonly<Record<number, (address: SqlAddress) => readonly [said: string, hint: string]>> = {
  1040: () => ['takes no more connections', 'The probe needs one, and a second one for tables over 1 MB.'],
  1044: ({ database }) => [
    `does not let the user into the database "${database}"`,
    'GRANT SELECT on its tables to the user of the URL.',
  ],
  1045: () => ['refuses the user or the password', 'Check both in the URL; %40 stands for @ and %23 for # in them.'],
  1049: ({ database }) => [
    `has no database "${database}"`,
    'Check the name behind the host, or start the receiver once, so that it makes its database.',
  ],
  1205: () => [
    'kept a table locked for longer than 5s',
    'Somebody changes the table itself: ALTER TABLE, TRUNCATE or LOCK TABLES.',
  ],
  1412: () => [
    'had a table dropped, truncated or written anew while it was observed, so what was removed is not known',
    'Delete rows instead (DELETE FROM), or empty the table in --reset, before anything is observed.',
  ],
  1969: () => ['took longer than 30s for one look', 'Name fewer tables behind #, or smaller ones.'],
  3024: () => ['took longer than 30s for one look', 'Name fewer tables behind #, or smaller ones.'],
};

/** Whatever the driver throws, as something the user can act on. */
export function mysqlProblem(error: unknown, address: SqlAddress): ProbeError {
  if (error instanceof ProbeError) return error;
  const { errno } = error as Problem;
  const message = messageOf(error).replaceAll(address.url, address.source);
  if (errno === 1142 || errno === 1143) {
    const [, table = 'the table'] = /for (?:table|column '[^']*' in table) (.+)$/.exec(message) ?? [];
    return noPrivilege(address, [table.replaceAll(/[`']/g, '')]);
  }
  const told = SAID[Number(errno)]?.(address);
  if (told) return new ProbeError(`${hostOf(address)} ${told[0]}.`, { hint: told[1], cause: error });
  if (isLoss(error)) return noAnswer(address, error);
  return new ProbeError(`${hostOf(address)} says: ${message} (${String(errno)}).`, { cause: error });
}

const SHUTDOWN = 1053;
const KILLED = 1927;

/** The end of the connection: not from the server at all, or its last words. */
export function isLoss(error: unknown): boolean {
  const { errno, sqlState } = error as Problem;
  return sqlState === undefined || /^08/.test(String(sqlState)) || errno === SHUTDOWN || errno === KILLED;
}
