import { UserError } from '../support/errors.ts';
import { plural } from '../support/plural.ts';

/** One thing that is wrong with what a config file or the environment says. */
export type Problem = {
  /** `webhook-replay.config.json:3:5`, or a variable. */
  readonly where: string;
  readonly message: string;
  readonly hint?: string | undefined;
};

/** More of them at once help nobody. */
const SHOWN = 8;

/** All problems as one error: one line each, with what to do. */
export function problemsError(problems: readonly Problem[]): UserError {
  const [first] = problems;
  if (first && problems.length === 1) {
    return new UserError('BAD_CONFIG', `${first.where}: ${first.message}`, { hint: first.hint });
  }
  const lines = problems
    .slice(0, SHOWN)
    .map(({ where, message, hint = '' }) => `  ${where}: ${message} ${hint}`.trimEnd());
  const more = problems.length > SHOWN ? [`  and ${plural(problems.length - SHOWN, 'more problem')}`] : [];
  return new UserError(
    'BAD_CONFIG',
    [`The configuration has ${problems.length} problems.`, ...lines, ...more].join('\n'),
  );
}
