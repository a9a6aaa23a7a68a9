import { corpusFile } from '../corpus/corpus-file.ts';
import { openCorpus } from '../corpus/open-corpus.ts';
import type { Corpus } from '../model/corpus.ts';
import type { Context, GlobalOptions } from './context.ts';

/** The corpus that the flags, the environment or the project name; made when there is none. */
export function openCorpusFor({ cwd, env }: Context, { corpus }: GlobalOptions): Corpus {
  return openCorpus(corpusFile({ cwd, flag: corpus, env }));
}
