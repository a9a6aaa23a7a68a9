import { UserError } from '../support/errors.ts';

/** @throws UserError for what names no boundary */
export function checkBoundary(text: string): void {
  if (/^[A-Za-z_][A-Za-z0-9_]*:(before|after):[1-9]\d*$/.test(text)) return;
  throw new UserError('BAD_BOUNDARY', `"${text}" is no boundary (--crash-at).`, {
    hint: 'Write the variable, before or after, and the number of the turn: DATABASE_URL:after:2.',
  });
}
