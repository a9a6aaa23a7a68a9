import { closeSync, existsSync, fstatSync, openSync, readSync } from 'node:fs';

const MAX_BYTES = 64 * 1024 * 1024;
const HEADER_BYTES = 100;

export type Copy =
  | { readonly kind: 'at-rest'; readonly bytes: Buffer }
  /** The file is in WAL mode, or a log stands beside it. */
  | { readonly kind: 'wal' }
  /** A transaction is being written. The mark stays the same while nothing reaches the file itself. */
  | { readonly kind: 'busy'; readonly mark: string }
  /** Too long to copy each time. */
  | { readonly kind: 'large' };

/**
 * Copies a SQLite file without a lock, as it was at one moment between two transactions.
 *
 * Every commit raises the change counter on page 1 and runs from before its first page until after its last one under a
 * journal (sqlite.org/fileformat.html, "Rollback Journal"). So a copy is whole when no journal was active before and after,
 * and the counter, read before the first and after the second look, did not move. Journal modes MEMORY and OFF
 * have no journal; for them size and time of the file must not move either.
 *
 * A log beside the file means that a connection to it may be ours: then the file is not even opened here, because closing it
 * would drop the locks of that connection (POSIX advisory locks belong to the process).
 */
export function copyAtRest(file: string): Copy {
  if (existsSync(`${file}-wal`)) return { kind: 'wal' };
  const handle = openSync(file, 'r');
  try {
    return copyFrom(handle, `${file}-journal`);
  } finally {
    closeSync(handle);
  }
}

/** Synchronous, to be done between two transactions of a busy receiver; it is shorter than reading the rows. */
function copyFrom(handle: number, journal: string): Copy {
  const before = stateOf(handle);
  if (before.bytes > MAX_BYTES) return { kind: 'large' };
  if (before.isWal) return { kind: 'wal' };
  const busy: Copy = { kind: 'busy', mark: before.mark };
  if (isActive(journal)) return busy;
  const bytes = Buffer.alloc(before.bytes);
  const length = readSync(handle, bytes, 0, bytes.length, 0);
  if (isActive(journal) || length < bytes.length || stateOf(handle).mark !== before.mark) return busy;
  return { kind: 'at-rest', bytes };
}

type State = { readonly bytes: number; readonly isWal: boolean; readonly mark: string };

/** sqlite.org/fileformat.html, "The Database Header": versions 2 mean WAL, the change counter is at 24. */
function stateOf(handle: number): State {
  const { size, mtimeNs } = fstatSync(handle, { bigint: true });
  const header = Buffer.alloc(HEADER_BYTES);
  readSync(handle, header, 0, HEADER_BYTES, 0);
  return {
    bytes: Number(size),
    isWal: header[18] === 2 || header[19] === 2,
    mark: `${size}:${mtimeNs}:${header.readUInt32BE(24)}`,
  };
}

/** A finished journal is removed, cut to nothing, or has its head zeroed, by the journal mode. */
function isActive(journal: string): boolean {
  if (!existsSync(journal)) return false;
  const head = Buffer.alloc(8);
  try {
    const handle = openSync(journal, 'r');
    readSync(handle, head, 0, head.length, 0);
    closeSync(handle);
  } catch (error) {
    // Gone since we looked: its transaction ended, so the file may have changed meanwhile.
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return true;
    throw error;
  }
  return head.some((byte) => byte !== 0);
}
