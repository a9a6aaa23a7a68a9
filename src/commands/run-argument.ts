import type { Corpus } from '../model/corpus.ts';
import type { Run } from '../model/run.ts';
import { UserError } from '../support/errors.ts';
import { nearest } from '../support/nearest.ts';

export const RUN_ARGUMENT = ['<run>', 'its id, or last'] as const;

const LOOKED_AT = 200;

/** The run that a command line names: an id (also as `run:ID`), or `last`. Throws `UserError`. */
export function storedRun(name: string, corpus: Pick<Corpus, 'run' | 'runs' | 'file'>): Run {
  const id = name === 'last' ? corpus.runs(1)[0]?.id : name.replace(/^run:/, '');
  const run = id === undefined ? undefined : corpus.run(id);
  if (run) return run;
  const known = corpus.runs(LOOKED_AT).map((each) => each.id);
  if (known.length === 0) {
    throw new UserError('NO_RUN', `There are no runs yet in ${corpus.file}.`, {
      hint: 'replay and test keep theirs there; send keeps none.',
    });
  }
  const close = nearest(name, known);
  throw new UserError('NO_RUN', `There is no run "${name}".`, {
    hint: `${close ? `Did you mean ${close}? ` : ''}webhook-replay runs lists them.`,
  });
}
