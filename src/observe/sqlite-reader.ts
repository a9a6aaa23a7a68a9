import { stat } from 'node:fs/promises';
import type { Clock } from '../support/clock.ts';
import { formatDuration } from '../support/duration.ts';
import { messageOf, ProbeError, UserError } from '../support/errors.ts';
import { loadSqlite, type SqliteDatabase } from '../support/sqlite.ts';
import { copyAtRest } from './sqlite-copy.ts';

const GIVE_UP_MS = 10_000;
/** A transaction that has not reached the file for this long is a long one: a lock will hardly meet its end. */
const STILL_MS = 250;
/** A receiver that never pauses between transactions is read under a lock at last. */
const PATIENCE_MS = 5_000;

/** Reads one SQLite file at one moment, again and again. */
export type SqliteReader = {
  /** Gives a database that shows one moment; valid only during the call. */
  readonly read: <T>(use: (db: SqliteDatabase) => T) => Promise<T>;
  readonly version: () => Promise<string>;
  readonly close: () => void;
};

/**
 * A file in WAL mode is read over a connection that stays: there readers and writers never wait for each other. A file
 * with a rollback journal is read from a copy in memory, since a reader's lock would make a commit fail in a receiver
 * that sets no busy timeout (the default of node:sqlite), and that failure would be ours.
 * No wait is SQLite's own: it would block our event loop, and with it the deliveries.
 *
 * @param shown the path as the user wrote it
 */
export function sqliteReader(file: string, shown: string, clock: Clock): SqliteReader {
  const Database = loadSqlite();
  let live: { readonly db: SqliteDatabase; readonly inode: bigint } | undefined;
  let unsure = 0;

  const connect = () => new Database(file, { readonly: true, fileMustExist: true, timeout: 0 });
  const close = () => {
    live?.db.close();
    live = undefined;
  };

  /** The connection to the present file in WAL mode, or nothing. A receiver may have replaced the file. */
  const liveAt = (inode: bigint) => {
    if (live && live.inode !== inode) close();
    return live?.db;
  };

  const tryRead = async <T>(use: (db: SqliteDatabase) => T, mayLock: (mark: string) => boolean): Promise<Try<T>> => {
    const { ino } = await statOf(file, shown);
    const connected = liveAt(ino);
    if (connected) return readLocked(connected, use);
    const copy = copyAtRest(file);
    if (copy.kind === 'at-rest') return readOnce(new Database(copy.bytes), use);
    if (copy.kind === 'busy' && !mayLock(copy.mark)) return { kind: 'busy', reason: 'a transaction is being written' };
    const db = connect();
    if (copy.kind !== 'wal' || !isWal(db)) return readOnce(db, use);
    live = { db, inode: ino };
    return readLocked(db, use);
  };

  return {
    read: async (use) => {
      const startMs = clock.now();
      const mayLock = lockPolicy(clock);
      for (let pauseMs = 1; ; pauseMs = Math.min(50, pauseMs * 2)) {
        const got = await tryRead(use, mayLock).catch((error: unknown) => asTry(error, shown));
        if (got.kind === 'read') return got.value;
        if (clock.now() - startMs >= GIVE_UP_MS) throw stayedLocked(shown, got.reason);
        await clock.sleep(pauseMs);
      }
    },
    version: async () => {
      const at = await statOf(file, shown);
      const connected = liveAt(at.ino);
      try {
        if (connected) return `${at.ino}:${connected.pragma('data_version', { simple: true })}`;
      } catch (error) {
        if (asTry(error, shown).kind === 'busy') return `unsure ${++unsure}`;
      }
      return `${at.ino}:${at.size}:${at.mtimeNs}:${at.ctimeNs}${mayHide(at, clock) ? ` unsure ${++unsure}` : ''}`;
    },
    close,
  };
}

/** May a file that is being written be read under a lock by now? */
function lockPolicy(clock: Clock): (mark: string) => boolean {
  const startMs = clock.now();
  let still = { mark: '', sinceMs: startMs };
  return (mark) => {
    if (mark !== still.mark) still = { mark, sinceMs: clock.now() };
    return clock.now() - still.sinceMs >= STILL_MS || clock.now() - startMs >= PATIENCE_MS;
  };
}

type Try<T> = { readonly kind: 'read'; readonly value: T } | { readonly kind: 'busy'; readonly reason: string };

function readOnce<T>(db: SqliteDatabase, use: (db: SqliteDatabase) => T): Try<T> {
  try {
    return readLocked(db, use);
  } finally {
    db.close();
  }
}

function isWal(db: SqliteDatabase): boolean {
  try {
    return db.pragma('journal_mode', { simple: true }) === 'wal';
  } catch (error) {
    db.close();
    throw error;
  }
}

/** All statements of one read see the same moment. */
function readLocked<T>(db: SqliteDatabase, use: (db: SqliteDatabase) => T): Try<T> {
  return { kind: 'read', value: db.transaction(() => use(db)).deferred() };
}

const PASSING = /^(SQLITE_(BUSY|LOCKED|READONLY|SCHEMA|PROTOCOL|CORRUPT|CANTOPEN|IOERR)|ENOENT)/;

/** What passes by itself is tried again: locks, a journal that its writer must roll back, a file between two states. */
function asTry(error: unknown, shown: string): { readonly kind: 'busy'; readonly reason: string } {
  const { code } = error as { readonly code?: unknown };
  if (error instanceof UserError || typeof code !== 'string') throw error;
  if (PASSING.test(code)) return { kind: 'busy', reason: `${messageOf(error)} (${code})` };
  throw new ProbeError(`"${shown}" cannot be read: ${messageOf(error)} (${code}).`, {
    hint: code === 'SQLITE_NOTADB' ? 'It is no SQLite file, or it is encrypted.' : 'Can sqlite3 read it?',
    cause: error,
  });
}

function stayedLocked(shown: string, reason: string): ProbeError {
  return new ProbeError(`"${shown}" could not be read for ${formatDuration(GIVE_UP_MS)}: ${reason}.`, {
    hint: 'Its writer holds a transaction open, uses exclusive locking, or died in one and must be started again.',
  });
}

type FileState = { readonly ino: bigint; readonly size: bigint; readonly mtimeNs: bigint; readonly ctimeNs: bigint };

async function statOf(file: string, shown: string): Promise<FileState> {
  try {
    return await stat(file, { bigint: true });
  } catch (cause) {
    throw new ProbeError(`"${shown}" is gone (${messageOf(cause)}).`, {
      hint: 'Clear tables instead of removing the file, or remove it before the receiver starts.',
      cause,
    });
  }
}

/** Two writes within the file system's tick have one time: while the last one is that young, another may hide behind it. */
function mayHide({ mtimeNs }: FileState, clock: Clock): boolean {
  const tickMs = mtimeNs % 1_000_000_000n === 0n ? 2_000 : 50;
  return Math.abs(clock.epochMs() - Number(mtimeNs / 1_000_000n)) < tickMs;
}
