import { createContext, Script } from 'node:vm';
import type { Cell } from '../model/effect.ts';
import { ProbeError } from '../support/errors.ts';

const TIMEOUT_MS = 1000;
const LINES_AT_ONCE = 1000;

/** The groups of each line that matches; where there are none, the line itself. */
export type LineMatcher = (lines: readonly string[]) => readonly Readonly<Record<string, Cell>>[];

/** An expression may backtrack for ever, so it runs where it can be stopped. */
const MATCH = new Script(`JSON.stringify(JSON.parse(lines).map((line) => {
  const match = new RegExp(source, flags).exec(line);
  return match && (match.groups ? { ...match.groups } : { line });
}))`);

/** @param source for messages */
export function createLineMatcher(regex: RegExp, source: string): LineMatcher {
  const sandbox = createContext({ source: regex.source, flags: regex.flags, lines: '[]' });
  const matchSome = (lines: readonly string[]): readonly (Readonly<Record<string, string>> | null)[] => {
    sandbox['lines'] = JSON.stringify(lines);
    try {
      return JSON.parse(MATCH.runInContext(sandbox, { timeout: TIMEOUT_MS }) as string);
    } catch (cause) {
      if ((cause as NodeJS.ErrnoException).code !== 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw cause;
      throw new ProbeError(`The regular expression of "${source}" takes too long on the lines of the file.`, {
        hint: 'Write it without repetitions within repetitions, such as (a+)+.',
        cause,
      });
    }
  };
  return (lines) => {
    const found: Readonly<Record<string, Cell>>[] = [];
    for (let at = 0; at < lines.length; at += LINES_AT_ONCE) {
      for (const cells of matchSome(lines.slice(at, at + LINES_AT_ONCE))) if (cells) found.push(cells);
    }
    return found;
  };
}
