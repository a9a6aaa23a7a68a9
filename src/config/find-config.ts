import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { messageOf, UserError } from '../support/errors.ts';
import { isFile } from '../support/is-file.ts';
import { foldersUpward } from '../support/project-folder.ts';

export const CONFIG_NAME = 'webhook-replay.config.json';

/**
 * The config file of a working folder: the named one, else the nearest upwards. Looking ends at the top of a repository.
 * @throws UserError when the named one is not there
 */
export function findConfig(cwd: string, named: string | undefined): string | undefined {
  if (named === undefined)
    return searched(cwd)
      .map((folder) => join(folder, CONFIG_NAME))
      .find(isFile);
  const file = resolve(cwd, named);
  if (isFile(file)) return file;
  throw new UserError('NO_CONFIG', `There is no config file "${named}" (--config).`, {
    hint: 'Check the path; it counts from the working folder.',
  });
}

/** Where a config file is looked for, the nearest first. */
export function searched(cwd: string): readonly string[] {
  const folders = foldersUpward(resolve(cwd));
  const top = folders.findIndex((folder) => existsSync(join(folder, '.git')));
  return top < 0 ? folders : folders.slice(0, top + 1);
}

export function readConfigText(file: string, shown: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new UserError('UNREADABLE_FILE', `The config file "${shown}" cannot be read: ${messageOf(error)}.`);
  }
}
