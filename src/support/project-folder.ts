import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

const PROJECT_MARKS = ['.webhook-replay', 'package.json', '.git'];

/** The nearest folder, from this one upwards, that looks like a project. */
export function projectFolder(from: string): string | undefined {
  return foldersUpward(from).find((folder) => PROJECT_MARKS.some((mark) => existsSync(join(folder, mark))));
}

/** This absolute folder, the one that holds it, and so on up to the root. */
export function foldersUpward(from: string): readonly string[] {
  const above = dirname(from);
  return above === from ? [from] : [from, ...foldersUpward(above)];
}
