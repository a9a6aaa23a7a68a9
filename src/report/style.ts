import type { ChalkInstance } from 'chalk';
import type { TrialVerdict } from '../model/verdict.ts';

/** How text for people looks on one stream. */
export type Style = {
  readonly paint: ChalkInstance;
  /** Columns to wrap at; 0 never wraps (a pipe). */
  readonly width: number;
  /** False where the locale is not UTF-8. */
  readonly unicode: boolean;
};

/** Never by colour alone: a symbol and a word. */
export function verdictBadge(verdict: TrialVerdict, { paint, unicode }: Style): string {
  switch (verdict) {
    case 'pass':
      return paint.green(`${unicode ? '✔' : '+'} PASS`);
    case 'fail':
      return paint.red(`${unicode ? '✖' : 'x'} FAIL`);
    case 'inconclusive':
      return paint.yellow('? INCONCLUSIVE');
    case 'skip':
      return paint.dim('- SKIP');
    case 'not-applicable':
      return paint.dim('- NOT APPLICABLE');
  }
}

/** Columns of the badge. */
export function verdictWidth(verdict: TrialVerdict): number {
  return verdict.length + 2;
}

/** Between the parts of a line. */
export function dot({ unicode }: Style): string {
  return unicode ? ' · ' : ' - ';
}

export function isUnicode(env: Readonly<Record<string, string | undefined>>): boolean {
  if (process.platform === 'win32') return env['WT_SESSION'] !== undefined || env['TERM_PROGRAM'] !== undefined;
  return /utf-?8/i.test(env['LC_ALL'] || env['LC_CTYPE'] || env['LANG'] || '');
}
