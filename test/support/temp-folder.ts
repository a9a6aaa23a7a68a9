import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';

const folders: string[] = [];
// Here and not in the function: within a running test, vitest takes no more hooks.
afterAll(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

/** A new empty folder, removed when the tests of the file are over. */
export function tempFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'webhook-replay-'));
  folders.push(folder);
  return folder;
}
