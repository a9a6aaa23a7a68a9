import { resolve } from 'node:path';
import type { Reporter } from '../report/reporter.ts';
import { REPORTERS } from '../report/reporters.ts';
import { UserError } from '../support/errors.ts';
import { nearest } from '../support/nearest.ts';
import type { Context, GlobalOptions } from './context.ts';
import type { ReporterOption } from './reporter-option.ts';

/** `stdout` has one reporter; asides follow it. Files are absolute. */
export type ChosenReporters = {
  readonly stdout: Reporter;
  readonly asides: readonly Reporter[];
  readonly files: ReadonlyArray<{ readonly reporter: Reporter; readonly file: string }>;
};

/** What `--reporter` and `--json` ask for; without them, the report for people. Throws `UserError`. */
export function chooseReporters(
  { reporter: words = [], json }: ReporterOption & Pick<GlobalOptions, 'json'>,
  { cwd }: Pick<Context, 'cwd'>,
): ChosenReporters {
  const given = [...(json ? ['json'] : []), ...words].map(readWord);
  const files = given.flatMap(({ reporter, file }) =>
    file === undefined ? [] : [{ reporter, file: resolve(cwd, file) }],
  );
  for (const [index, { file, reporter }] of files.entries()) {
    const other = files.slice(0, index).find((before) => before.file === file);
    if (other) throw collision(`the file "${file}"`, other.reporter, reporter);
  }
  const others = given.filter(({ file }) => file === undefined).map(({ reporter }) => reporter);
  const asides = new Set(others.filter(({ isAside }) => isAside));
  const [first, second] = new Set(others.filter(({ isAside }) => !isAside));
  if (first && second) throw collision('standard output', first, second);
  return { stdout: first ?? (REPORTERS[0] as Reporter), asides: [...asides], files };
}

function readWord(word: string): { readonly reporter: Reporter; readonly file?: string | undefined } {
  const [, name = '', file] = /^([^=]*)(?:=(.*))?$/s.exec(word) ?? [];
  const reporter = REPORTERS.find((known) => known.name === name);
  if (!reporter) throw unknown(name);
  if (file === '') {
    throw new UserError('BAD_REPORTER', `--reporter "${word}" names no file.`, {
      hint: `Write --reporter ${name}=FILE, or --reporter ${name} for standard output.`,
    });
  }
  if (file !== undefined && reporter.isAside) {
    throw new UserError('BAD_REPORTER', `The reporter "${name}" takes no file, so not "${file}".`, {
      hint: `Write --reporter ${name}; its lines belong into the log, behind the report.`,
    });
  }
  return { reporter, file: file === '-' ? undefined : file };
}

function unknown(name: string): UserError {
  const names = REPORTERS.map((reporter) => reporter.name);
  const close = nearest(name, names);
  return new UserError('UNKNOWN_REPORTER', `There is no reporter "${name}".`, {
    hint: `${close ? `Did you mean "${close}"? ` : ''}There are ${names.join(', ')}; --reporter NAME=FILE writes to a file.`,
  });
}

function collision(place: string, first: Reporter, second: Reporter): UserError {
  return new UserError(
    'CONTRADICTION',
    `The reporters "${first.name}" and "${second.name}" cannot both go to ${place}.`,
    {
      hint: `Give one a file of its own: --reporter ${second.name}=FILE.`,
    },
  );
}
