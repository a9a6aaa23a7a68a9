import { corpusFile } from '../corpus/corpus-file.ts';
import { openCorpus } from '../corpus/open-corpus.ts';
import type { Corpus } from '../model/corpus.ts';
import type { Context, GlobalOptions } from './context.ts';

/**
 * The corpus that the flags, the environment or the project name.
 * @param access `read`: where there is no file yet, none is made and the corpus is empty
 */
export function openCorpusFor(
  { cwd, env }: Context,
  { corpus }: Pick<GlobalOptions, 'corpus'>,
  access: 'keep' | 'read' = 'keep',
): Corpus {
  return openCorpus(corpusFile({ cwd, flag: corpus, env }), { create: access === 'keep' });
}

/** Runs with the corpus open, and closes it whatever happens. */
export async function withCorpus<T>(corpus: Corpus, work: (corpus: Corpus) => T | Promise<T>): Promise<T> {
  try {
    return await work(corpus);
  } finally {
    corpus.close();
  }
}
