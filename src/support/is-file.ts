import { statSync } from 'node:fs';

/** True for what is there and a file, also behind a link. */
export function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() ?? false;
}
