import { closeSync, fsyncSync, openSync, renameSync, rmSync, statSync, writeSync } from 'node:fs';

/** Writes beside the file and then puts the result in its place: whoever reads it sees the old or the new one, whole. */
export function writeAtomically(file: string, parts: Iterable<Uint8Array>): void {
  const unfinished = unfinishedOf(file);
  const handle = openSync(unfinished, 'w');
  try {
    try {
      for (const part of parts) writeWhole(handle, part);
      fsyncSync(handle);
    } finally {
      closeSync(handle);
    }
    renameSync(unfinished, file);
  } catch (error) {
    rmSync(unfinished, { force: true });
    throw error;
  }
}

/** Throws when `writeAtomically` would. The file itself stays as it is. */
export function assertWritable(file: string): void {
  if (statSync(file, { throwIfNoEntry: false })?.isDirectory()) throw new Error('it is a folder');
  const unfinished = unfinishedOf(file);
  closeSync(openSync(unfinished, 'w'));
  rmSync(unfinished);
}

function unfinishedOf(file: string): string {
  return `${file}.${process.pid}.tmp`;
}

function writeWhole(handle: number, bytes: Uint8Array): void {
  for (let at = 0; at < bytes.length; ) at += writeSync(handle, bytes, at);
}
