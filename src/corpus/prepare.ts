import type { Statement } from 'better-sqlite3';
import type { SqliteDatabase } from '../support/sqlite.ts';

/** A statement of this text, compiled at its first use. */
export type Prepare = (sql: string) => Statement<unknown[]>;

export function preparing(db: SqliteDatabase): Prepare {
  const compiled = new Map<string, Statement<unknown[]>>();
  return (sql) => {
    const known = compiled.get(sql);
    if (known) return known;
    const statement = db.prepare<unknown[]>(sql);
    compiled.set(sql, statement);
    return statement;
  };
}

/** Wraps work on this database into one write transaction each time it is called. */
export function transacting(
  db: SqliteDatabase,
): <A extends unknown[], R>(work: (...args: A) => R) => (...args: A) => R {
  return (work) => {
    const transaction = db.transaction(work);
    return (...args) => transaction.immediate(...args);
  };
}
