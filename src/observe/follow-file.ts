import { type FileHandle, open, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { messageOf, ProbeError } from '../support/errors.ts';

/** A file that grows, and may be moved away or emptied. */
export type FollowedFile = {
  /** Whole lines that were written since the last time, without their ends; of a very long line its beginning. */
  readonly newLines: () => Promise<readonly string[]>;
  readonly close: () => Promise<void>;
};

const MAX_LINE_BYTES = 64 * 1024;
const CHUNK_BYTES = 256 * 1024;
/** So many bytes in front of the place we have read to are remembered, to notice that the file is another one. */
const REMEMBERED_BYTES = 256;

type Place = {
  readonly handle: FileHandle;
  readonly inode: string;
  /** How far we have read. */
  offset: number;
  /** The bytes in front of the offset. */
  before: Buffer;
  /** A last line that has no end yet. */
  rest: Buffer;
};

/**
 * Begins at the end of what is there. A file that does not exist yet is read from its beginning once it does. A file that was
 * moved away is read on as well as the one in its place: its writer lets go of it only later.
 * @param shown the path as the user wrote it
 */
export async function followFile(path: string, shown: string): Promise<FollowedFile> {
  await refuseOther(path, shown);
  let place = await openAt(path, shown);
  let moved: Place | undefined;
  if (place) await goToEnd(place);

  const turnToNewFile = async () => {
    if (place && !(await isMoved(path, place))) return;
    const next = await openAt(path, shown);
    if (!next) return;
    await moved?.handle.close();
    [moved, place] = [place, next];
  };

  return {
    newLines: async () => {
      const lines: string[] = [];
      try {
        await turnToNewFile();
        if (place && (await isEmptied(place))) startOver(place);
        for (const each of [moved, place]) if (each) await drain(each, lines);
      } catch (cause) {
        throw cause instanceof ProbeError ? cause : cannotBeRead(shown, cause);
      }
      return lines;
    },
    close: async () => {
      for (const each of [moved, place]) await each?.handle.close();
    },
  };
}

function startOver(place: Place): void {
  place.offset = 0;
  place.before = Buffer.alloc(0);
  place.rest = Buffer.alloc(0);
}

async function drain(place: Place, lines: string[]): Promise<void> {
  for (let chunk = await readChunk(place); chunk.length > 0; chunk = await readChunk(place)) {
    place.rest = takeLines(Buffer.concat([place.rest, chunk]), lines);
  }
}

async function refuseOther(path: string, shown: string): Promise<void> {
  const found = await stat(path).catch(() => undefined);
  if (found && !found.isFile()) {
    throw new ProbeError(`"${shown}" is not a file (${path}).`, { hint: 'Name the file that the receiver writes.' });
  }
  if (found) return;
  const folder = await stat(dirname(path)).catch(() => undefined);
  if (folder?.isDirectory()) return;
  throw new ProbeError(`There is no folder for "${shown}" (${dirname(path)}).`, {
    hint: 'Relative paths start in the folder where the command runs. The file itself may come later.',
  });
}

async function openAt(path: string, shown: string): Promise<Place | undefined> {
  try {
    const handle = await open(path, 'r');
    const { dev, ino } = await handle.stat();
    return { handle, inode: `${dev} ${ino}`, offset: 0, before: Buffer.alloc(0), rest: Buffer.alloc(0) };
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw cannotBeRead(shown, cause);
  }
}

/** What has been written of a last line without an end is kept. */
async function goToEnd(place: Place): Promise<void> {
  const { size } = await place.handle.stat();
  place.offset = Math.max(0, size - MAX_LINE_BYTES);
  let tail = Buffer.alloc(0);
  for (let left = size - place.offset; left > 0; ) {
    const chunk = await readChunk(place, left);
    if (chunk.length === 0) break;
    left -= chunk.length;
    tail = Buffer.concat([tail, chunk]);
  }
  const end = tail.lastIndexOf(NEWLINE);
  place.rest = tail.subarray(end + 1);
}

async function readChunk(place: Place, most = CHUNK_BYTES): Promise<Buffer> {
  const buffer = Buffer.alloc(Math.min(most, CHUNK_BYTES));
  const { bytesRead } = await place.handle.read(buffer, 0, buffer.length, place.offset);
  const chunk = buffer.subarray(0, bytesRead);
  place.offset += bytesRead;
  place.before = Buffer.from(Buffer.concat([place.before, chunk]).subarray(-REMEMBERED_BYTES));
  return chunk;
}

/** True when it is shorter than what we have read, or holds something else there: it was emptied and has grown since. */
async function isEmptied({ handle, offset, before }: Place): Promise<boolean> {
  const { size } = await handle.stat();
  if (size < offset) return true;
  const now = Buffer.alloc(before.length);
  await handle.read(now, 0, now.length, offset - before.length);
  return !now.equals(before);
}

async function isMoved(path: string, { inode }: Place): Promise<boolean> {
  const found = await stat(path).catch(() => undefined);
  return found !== undefined && `${found.dev} ${found.ino}` !== inode;
}

const NEWLINE = 0x0a;

/** Takes whole lines off the front. @returns what is left: a line without its end, cut to what is looked at */
function takeLines(bytes: Buffer, lines: string[]): Buffer {
  let from = 0;
  for (let end = bytes.indexOf(NEWLINE); end >= 0; end = bytes.indexOf(NEWLINE, from)) {
    const line = bytes.subarray(from, Math.min(end, from + MAX_LINE_BYTES));
    lines.push(line.toString('utf8').replace(/\r$/, ''));
    from = end + 1;
  }
  return Buffer.from(bytes.subarray(from, from + MAX_LINE_BYTES));
}

function cannotBeRead(shown: string, cause: unknown): ProbeError {
  return new ProbeError(`"${shown}" cannot be read: ${messageOf(cause)}.`, {
    hint: 'May this user read it?',
    cause,
  });
}
