import { type FileHandle, open, stat } from 'node:fs/promises';

const MAX_BYTES = 64 * 1024 * 1024;
const HEADER_BYTES = 100;

export type Copy =
  | { readonly kind: 'at-rest'; readonly bytes: Buffer }
  /** The file is in WAL mode, or a log stands beside it. */
  | { readonly kind: 'wal' }
  | { readonly kind: 'busy' }
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
export async function copyAtRest(file: string): Promise<Copy> {
  if (await exists(`${file}-wal`)) return { kind: 'wal' };
  const handle = await open(file, 'r');
  try {
    return await copyFrom(handle, `${file}-journal`);
  } finally {
    await handle.close();
  }
}

async function copyFrom(handle: FileHandle, journal: string): Promise<Copy> {
  const before = await handle.stat({ bigint: true });
  if (before.size > MAX_BYTES) return { kind: 'large' };
  const header = await headerOf(handle);
  if (header.isWal) return { kind: 'wal' };
  if (await isActive(journal)) return { kind: 'busy' };
  const bytes = Buffer.alloc(Number(before.size));
  const { bytesRead } = await handle.read(bytes, 0, bytes.length, 0);
  if (await isActive(journal)) return { kind: 'busy' };
  const again = await headerOf(handle);
  const after = await handle.stat({ bigint: true });
  const still = before.size === after.size && before.mtimeNs === after.mtimeNs && again.counter === header.counter;
  return still && bytesRead === bytes.length ? { kind: 'at-rest', bytes } : { kind: 'busy' };
}

/** sqlite.org/fileformat.html, "The Database Header": versions 2 mean WAL, the change counter is at 24. */
async function headerOf(handle: FileHandle): Promise<{ readonly isWal: boolean; readonly counter: number }> {
  const header = Buffer.alloc(HEADER_BYTES);
  await handle.read(header, 0, HEADER_BYTES, 0);
  return { isWal: header[18] === 2 || header[19] === 2, counter: header.readUInt32BE(24) };
}

/** A finished journal is removed, cut to nothing, or has its head zeroed, by the journal mode. */
async function isActive(journal: string): Promise<boolean> {
  const handle = await open(journal, 'r').catch(() => undefined);
  if (!handle) return false;
  try {
    const { bytesRead, buffer } = await handle.read(Buffer.alloc(8), 0, 8, 0);
    return bytesRead > 0 && buffer.some((byte) => byte !== 0);
  } finally {
    await handle.close();
  }
}

async function exists(file: string): Promise<boolean> {
  return await stat(file).then(
    () => true,
    () => false,
  );
}
