import { closeSync, existsSync, mkdirSync, openSync, readSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { UserError } from '../support/errors.ts';
import { loadSqlite, type SqliteDatabase } from '../support/sqlite.ts';
import { APPLICATION_ID, MIGRATIONS, VERSION } from './schema.ts';
import { withSqliteErrors } from './sqlite-errors.ts';

/** Where the SQLite file format keeps them (sqlite.org/fileformat.html, "The Database Header"). */
const HEADER = { bytes: 100, magic: 'SQLite format 3\0', schemaCookie: 40, version: 60, applicationId: 68 };
const PAGE_BYTES = 16_384;
const BUSY_MS = 10_000;
/** Ids and digests are spread over their whole indexes: with SQLite's own 2 MB, adding to a large corpus waits for pages. */
const CACHE_KIB = 16_384;

/** Opens a corpus for reading and writing, with its folder made and its tables up to date. */
export function openFile(file: string): SqliteDatabase {
  refuseForeignFile(file);
  return withSqliteErrors(file, () => {
    makeFolder(dirname(file));
    const db = new (loadSqlite())(file, { timeout: BUSY_MS });
    try {
      prepare(db, file);
      return db;
    } catch (error) {
      db.close();
      throw error;
    }
  });
}

/** An empty corpus that is gone when it is closed: what reading commands see where there is none yet. */
export function openNowhere(): SqliteDatabase {
  const db = new (loadSqlite())(':memory:');
  prepare(db, ':memory:');
  return db;
}

/** Reads the header with plain file calls, since SQLite itself may write to a file as soon as it opens it. */
function refuseForeignFile(file: string): void {
  if (!existsSync(file)) return;
  if (statSync(file).isDirectory()) {
    throw new UserError('NOT_A_CORPUS', `"${file}" is a folder, not a corpus file.`, { hint: 'Name a file in it.' });
  }
  const header = Buffer.alloc(HEADER.bytes);
  const length = withSqliteErrors(file, () => {
    const handle = openSync(file, 'r');
    try {
      return readSync(handle, header, 0, HEADER.bytes, 0);
    } finally {
      closeSync(handle);
    }
  });
  if (length === 0) return;
  if (header.toString('latin1', 0, HEADER.magic.length) !== HEADER.magic) throw notACorpus(file, 'no SQLite file');
  // No table was ever made in it: another process is just making it a corpus, or was killed then.
  if (header.readInt32BE(HEADER.schemaCookie) === 0) return;
  refuseOther(file, header.readInt32BE(HEADER.applicationId), header.readInt32BE(HEADER.version));
}

function refuseOther(file: string, applicationId: number, version: number): void {
  if (applicationId !== APPLICATION_ID) throw notACorpus(file, 'a SQLite file of another program');
  if (version <= VERSION) return;
  throw new UserError(
    'NEWER_CORPUS',
    `"${file}" was written by a newer webhook-replay (corpus version ${version}; this one knows ${VERSION}).`,
    { hint: 'Update webhook-replay, or name another file with --corpus. The file was not changed.' },
  );
}

function notACorpus(file: string, what: string): UserError {
  return new UserError('NOT_A_CORPUS', `"${file}" is ${what}, not a corpus.`, {
    hint: 'Name another file with --corpus; it is made when it does not exist. To read events from a file, use: webhook-replay import FILE',
  });
}

/** Captured requests hold private data, so the folder we make is kept out of git. */
function makeFolder(folder: string): void {
  if (existsSync(folder)) return;
  mkdirSync(folder, { recursive: true });
  if (basename(folder) === '.webhook-replay') writeFileSync(join(folder, '.gitignore'), '*\n');
}

function prepare(db: SqliteDatabase, file: string): void {
  // Both take effect only while the file is empty.
  db.pragma(`page_size = ${PAGE_BYTES}`);
  db.pragma('auto_vacuum = INCREMENTAL');
  migrate(db, file);
  // After the first migration, so that the application id stands in the file itself and not only in its log.
  if (db.pragma('journal_mode', { simple: true }) !== 'wal') db.pragma('journal_mode = WAL');
  db.pragma(`cache_size = -${CACHE_KIB}`);
  db.pragma('synchronous = FULL');
  db.pragma('foreign_keys = ON');
  db.pragma('secure_delete = FAST');
}

function migrate(db: SqliteDatabase, file: string): void {
  const version = () => db.pragma('user_version', { simple: true }) as number;
  if (version() === VERSION) return;
  const steps = db.transaction(() => {
    const present = version();
    if (hasTables(db)) refuseOther(file, db.pragma('application_id', { simple: true }) as number, present);
    for (const sql of MIGRATIONS.slice(present)) db.exec(sql);
    db.pragma(`application_id = ${APPLICATION_ID}`);
    db.pragma(`user_version = ${VERSION}`);
  });
  steps.immediate();
}

function hasTables(db: SqliteDatabase): boolean {
  return db.prepare('SELECT 1 FROM sqlite_schema LIMIT 1').get() !== undefined;
}
