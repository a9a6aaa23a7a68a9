import { UserError } from '../support/errors.ts';
import { globPattern } from '../support/glob.ts';
import { nearest } from '../support/nearest.ts';
import type { TrialDefinition } from './trial-definition.ts';
import { TRIALS } from './trials.ts';

/** Trials by id globs (`duplicate.*`), in the suite's order. A glob that matches nothing is a `UserError`. */
export function chooseTrials(only: readonly string[], skip: readonly string[]): readonly TrialDefinition[] {
  const wanted = only.length === 0 ? TRIALS : TRIALS.filter(({ id }) => only.some((glob) => matches(glob, id)));
  for (const [flag, globs] of [
    ['--only', only],
    ['--skip', skip],
  ] as const) {
    for (const glob of globs) if (!TRIALS.some(({ id }) => matches(glob, id))) throw unknown(flag, glob);
  }
  const chosen = wanted.filter(({ id }) => !skip.some((glob) => matches(glob, id)));
  if (chosen.length > 0) return chosen;
  throw new UserError('NO_TRIAL', '--only and --skip leave no trial.', {
    hint: 'webhook-replay test --list shows them all.',
  });
}

function matches(glob: string, id: string): boolean {
  return globPattern(glob).test(id);
}

function unknown(flag: string, glob: string): UserError {
  const near = nearest(
    glob,
    TRIALS.map(({ id }) => id),
  );
  return new UserError('UNKNOWN_TRIAL', `${flag} "${glob}" matches no trial.`, {
    hint: near
      ? `Did you mean "${near}"?`
      : "webhook-replay test --list shows them; a glob is written like 'duplicate.*'.",
  });
}
