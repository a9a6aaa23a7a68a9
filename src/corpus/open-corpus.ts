import { existsSync } from 'node:fs';
import type { Corpus } from '../model/corpus.ts';
import { arrivalStore, hasArrivals } from './arrival-store.ts';
import { eventStore } from './event-store.ts';
import { openFile, openNowhere } from './open-file.ts';
import { preparing } from './prepare.ts';
import { runStore } from './run-store.ts';
import { withSqliteErrors } from './sqlite-errors.ts';

/** Short enough for a capture that waits for its turn to write. */
const BATCH = 500;

export type OpenCorpus = Corpus & Pick<ReturnType<typeof arrivalStore>, 'receiveRows'>;

export type OpenOptions = {
  /** False: a file that does not exist is not made, and the corpus is empty. Nothing can be kept in it. */
  readonly create?: boolean | undefined;
};

/**
 * Opens the corpus in this file; folder and file are made when they are not there.
 * @throws UserError when it is no corpus, one of a newer version, or cannot be opened; such a file is not changed
 */
export function openCorpus(file: string, { create = true }: OpenOptions = {}): OpenCorpus {
  const db = create || existsSync(file) ? openFile(file) : openNowhere();
  const prepare = preparing(db);
  const stores = { ...eventStore(db, prepare), ...arrivalStore(db, prepare), ...runStore(db, prepare) };
  const corpus = { file, ...naming(file, stores), close: () => void db.close() };
  // What a capture has left behind, or is receiving right now.
  let more = hasArrivals(prepare);
  while (more) more = corpus.index(BATCH);
  return corpus;
}

/** Every function of the store, with SQLite's errors told as trouble of this file. */
function naming<T extends Readonly<Record<string, (...args: never[]) => unknown>>>(file: string, stores: T): T {
  const named = Object.entries(stores).map(([name, work]) => [
    name,
    (...args: never[]) => withSqliteErrors(file, () => work(...args)),
  ]);
  return Object.fromEntries(named) as T;
}
