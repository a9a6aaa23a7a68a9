import { messageOf, ProbeError } from '../support/errors.ts';
import type { SqlAddress, TableName } from './sql-address.ts';

/** The source without the tables: `postgres://***@127.0.0.1/shop`, in quotes. */
export function hostOf({ source }: SqlAddress): string {
  return `"${source.replace(/#.*$/s, '')}"`;
}

export function noAnswer(address: SqlAddress, cause: unknown): ProbeError {
  return new ProbeError(`${hostOf(address)} does not answer: ${reasonOf(cause)}.`, {
    hint: 'Is the database running, and are host and port right?',
    cause,
  });
}

export function noTables(address: SqlAddress, missing: readonly TableName[], present: readonly string[]): ProbeError {
  const names = missing.map(({ schema, table }) => (schema === undefined ? table : `${schema}.${table}`));
  return new ProbeError(`${hostOf(address)} has no table "${names.join('", "')}".`, {
    hint:
      present.length > 0
        ? `It has: ${present.join(', ')}.`
        : 'It has no tables that this user can see: start the receiver first, or check the user.',
  });
}

export function noPrivilege(address: SqlAddress, tables: readonly string[]): ProbeError {
  return new ProbeError(`${hostOf(address)} does not let the user read: SELECT on ${tables.join(', ')} is missing.`, {
    hint: 'GRANT SELECT to the user of the URL, or name the tables to observe behind #.',
  });
}

const REASONS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'the connection was refused',
  ECONNRESET: 'the connection was reset',
  PROTOCOL_CONNECTION_LOST: 'the connection was lost',
  ENOTFOUND: 'its host has no address',
  EAI_AGAIN: 'its host has no address',
  ETIMEDOUT: 'it did not answer in time',
};

/** A host with two addresses is refused twice, in one error without a text. */
function reasonOf(error: unknown): string {
  const { code } = error as { readonly code?: unknown };
  return REASONS[String(code)] ?? (messageOf(error).replace(/\.$/, '') || String(code));
}
