import { UserError } from '../support/errors.ts';

/** Standard output cannot be both. */
export function bytesAndJson(flag: string): UserError {
  return new UserError('CONTRADICTION', `${flag} prints bytes, and --json a document.`, {
    hint: 'Leave one of them out; the document holds the bytes as base64.',
  });
}
