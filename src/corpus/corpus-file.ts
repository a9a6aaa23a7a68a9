import { join, resolve } from 'node:path';
import { projectFolder } from '../support/project-folder.ts';

export type CorpusPlace = {
  readonly cwd: string;
  /** `--corpus`. */
  readonly flag?: string | undefined;
  readonly env: Readonly<Record<string, string | undefined>>;
};

/** Where the corpus is: `--corpus`, `WEBHOOK_REPLAY_CORPUS`, `.webhook-replay/corpus.db` of the nearest project folder, else of the working folder. */
export function corpusFile({ cwd, flag, env }: CorpusPlace): string {
  const named = flag || env['WEBHOOK_REPLAY_CORPUS'];
  if (named) return resolve(cwd, named);
  return join(projectFolder(resolve(cwd)) ?? resolve(cwd), '.webhook-replay', 'corpus.db');
}
