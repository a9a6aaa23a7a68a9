import { messageOf, ProbeError } from '../support/errors.ts';
import type { SqlAddress } from './sql-address.ts';
import { hostOf, noAnswer } from './sql-problems.ts';

type Problem = { readonly code?: unknown; readonly severity?: unknown };

/** SQLSTATE (postgresql.org/docs/current/errcodes-appendix.html) to what a user can do. */
const SAID: Readonly<Record<string, (message: string, address: SqlAddress) => readonly [said: string, hint: string]>> =
  {
    '28P01': () => [
      'refuses the user or the password',
      'Check both in the URL; %40 stands for @ and %23 for # in them.',
    ],
    '28000': (message) => [
      `refuses the login: ${message}`,
      'Check the user in the URL, and pg_hba.conf on the server.',
    ],
    '3D000': (_message, { database }) => [
      `has no database "${database}"`,
      'Check the name behind the host, or start the receiver once, so that it makes its database.',
    ],
    '53300': () => ['takes no more connections', 'The probe needs one, and a second one for tables over 1 MB.'],
    '57014': () => ['took longer than 30s for one look', 'Name fewer tables behind #, or smaller ones.'],
    '55P03': () => [
      'kept a table locked for longer than 5s',
      'Somebody holds an ACCESS EXCLUSIVE lock: a migration, a TRUNCATE or a VACUUM FULL in a transaction that stays open.',
    ],
    '42501': (message) => [`does not let the user read it: ${message}`, privilegeHint(message)],
    '42883': (message) => [`is too old: ${message}`, 'PostgreSQL 13 or newer is needed.'],
  };

/** Whatever the driver throws, as something the user can act on. */
export function postgresProblem(error: unknown, address: SqlAddress): ProbeError {
  if (error instanceof ProbeError) return error;
  const { code } = error as Problem;
  const message = messageOf(error).replaceAll(address.url, address.source);
  const told = typeof code === 'string' ? SAID[code]?.(message, address) : undefined;
  const server = hostOf(address);
  if (told) return new ProbeError(`${server} ${told[0]}.`, { hint: told[1], cause: error });
  if (isLoss(error)) return noAnswer(address, error);
  return new ProbeError(`${server} says: ${message} (${String(code)}).`, { cause: error });
}

/** The end of the connection: not from the server at all, or its last words. */
export function isLoss(error: unknown): boolean {
  const { code, severity } = error as Problem;
  return severity === undefined || severity === 'FATAL' || /^(57P|08)/.test(String(code));
}

function privilegeHint(message: string): string {
  if (/row-level security/.test(message)) {
    return 'Its policy would hide rows: observe as the owner of the table, or as a user with BYPASSRLS.';
  }
  const [, kind = 'table', name = 'NAME'] = /permission denied for (\w+) (.+)$/.exec(message) ?? [];
  return kind === 'schema'
    ? `GRANT USAGE ON SCHEMA ${name} TO the user of the URL.`
    : `GRANT SELECT ON ${name} TO the user of the URL.`;
}
