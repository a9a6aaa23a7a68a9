import { UserError } from '../support/errors.ts';

/** Tags are single words, since selectors are: `@word`. */
export function checkTags(tags: readonly string[]): void {
  const wrong = tags.find((tag) => !/^[^\s@*,]+$/.test(tag));
  if (wrong === undefined) return;
  throw new UserError('BAD_TAG', `"${wrong}" is no tag.`, {
    hint: 'A tag is one word without blanks, commas, * and @; select by it with @word.',
  });
}
