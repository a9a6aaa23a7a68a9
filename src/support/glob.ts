import { escapeRegExp } from './escape-reg-exp.ts';

/** A pattern that matches a whole text; `*` stands for any characters. */
export function globPattern(glob: string): RegExp {
  return new RegExp(`^${glob.split(/\*+/).map(escapeRegExp).join('.*')}$`, 's');
}
