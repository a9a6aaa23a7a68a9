import { accessSync, constants, existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { corpusFile } from '../corpus/corpus-file.ts';
import { openCorpus } from '../corpus/open-corpus.ts';
import { VERSION as CORPUS_VERSION } from '../corpus/schema.ts';
import { UserError } from '../support/errors.ts';
import { plural } from '../support/plural.ts';
import { foldersUpward } from '../support/project-folder.ts';
import { loadSqlite } from '../support/sqlite.ts';
import type { Context, GlobalOptions } from './context.ts';
import { type Check, checked, ok } from './doctor-check.ts';

/** `engines` of package.json. */
export function isNodeSupported(version: string): boolean {
  const [major = 0, minor = 0, patch = 0] = version.split('.').map(Number);
  if (major === 20) return minor > 18 || (minor === 18 && patch >= 1);
  return major > 22 || (major === 22 && minor >= 14);
}

export function checkNode(version: string): Promise<Check> {
  return checked('node', () => {
    if (isNodeSupported(version)) return ok('node', `Node ${version}.`);
    throw new UserError('OLD_NODE', `Node ${version} is not supported.`, {
      hint: 'Use Node 20.18.1 or later 20.x, or 22.14 and newer.',
    });
  });
}

export function checkDriver(): Promise<Check> {
  return checked('sqlite', () => {
    const db = new (loadSqlite())(':memory:');
    try {
      const version = db.prepare('SELECT sqlite_version()').pluck().get();
      return ok('sqlite', `better-sqlite3 works, with SQLite ${version}.`);
    } finally {
      db.close();
    }
  });
}

export function checkCorpus({ corpus }: GlobalOptions, { cwd, env }: Context): Promise<Check> {
  return checked('corpus', () => {
    const file = corpusFile({ cwd, flag: corpus, env });
    if (!existsSync(file)) {
      const folder = foldersUpward(dirname(file)).find((candidate) => existsSync(candidate)) ?? dirname(file);
      demandWritable(folder);
      return ok('corpus', `There is none yet; it will be made in "${file}".`);
    }
    const opened = openCorpus(file);
    try {
      const events = opened.count({});
      // SQLite keeps its log beside the file.
      for (const path of [file, dirname(file)]) demandWritable(path);
      return ok('corpus', `"${file}" holds ${plural(events, 'event')} (version ${CORPUS_VERSION}).`);
    } finally {
      opened.close();
    }
  });
}

function demandWritable(path: string): void {
  try {
    accessSync(path, constants.W_OK);
  } catch {
    throw new UserError('NOT_WRITABLE', `"${path}" cannot be written.`, {
      hint: 'Change its permissions, or keep the corpus elsewhere with --corpus FILE.',
    });
  }
}
