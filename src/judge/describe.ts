import type { Attempt } from '../model/attempt.ts';
import type { Cell, Effect } from '../model/effect.ts';
import type { ColumnDifference } from './difference.ts';
import { textOf } from './flatten.ts';
import type { NormalEffect } from './normal-form.ts';
import { effectName } from './places.ts';

const MAX_COLUMNS = 6;
const MAX_TEXT = 60;
const MAX_ATTEMPTS = 6;

/** `added orders 17: id=17 reference=A-1 total=100`. */
export function describeRow({ raw }: NormalEffect): string {
  const name = `${raw.kind} ${effectName(raw)} ${shorten(raw.key)}`;
  return `${name.trim()}: ${raw.kind === 'changed' ? changesText(raw) : cellsText(raw.after ?? raw.before ?? {})}`;
}

function cellsText(cells: Readonly<Record<string, Cell>>): string {
  const shown = Object.entries(cells).map(([column, cell]) => `${column}=${shorten(textOf(cell))}`);
  return firstColumns(shown).join(' ');
}

function changesText({ before, after }: Effect): string {
  const columns = Object.keys({ ...before, ...after });
  const texts = columns.map((column) => [textOf(before?.[column] ?? null), textOf(after?.[column] ?? null)] as const);
  const changes = texts.flatMap(([old, now], index) =>
    old === now ? [] : [`${columns[index]} ${shorten(old)} -> ${shorten(now)}`],
  );
  return firstColumns(changes).join(', ');
}

function firstColumns(texts: readonly string[]): readonly string[] {
  return texts.length <= MAX_COLUMNS ? texts : [...texts.slice(0, MAX_COLUMNS), '...'];
}

/** One side of the columns that differ: `status=paid version=2`. */
export function describeColumns(columns: readonly ColumnDifference[], side: 'expected' | 'actual'): string {
  return firstColumns(columns.map((each) => `${each.column}=${shorten(each[side])}`)).join(' ');
}

/** One line of at most 60 characters. */
export function shorten(text: string): string {
  const line = text.slice(0, 2 * MAX_TEXT).replace(/[\s\p{Cc}]+/gu, ' ');
  return line.length <= MAX_TEXT && text.length <= 2 * MAX_TEXT ? line : `${line.slice(0, MAX_TEXT - 3)}...`;
}

/** A line each, oldest first. */
export function attemptLines(attempts: readonly Attempt[]): readonly string[] {
  const lines = attempts.slice(0, MAX_ATTEMPTS).map(attemptLine);
  return attempts.length > MAX_ATTEMPTS ? [...lines, `... and ${attempts.length - MAX_ATTEMPTS} more`] : lines;
}

/** `#3 at 0.043 s, copy 2, attempt 1 -> 200 in 44 ms`. */
function attemptLine({ number, times, copy, attempt, outcome }: Attempt): string {
  const answer = outcome.kind === 'response' ? String(outcome.status) : `no response (${outcome.reason})`;
  const took = Math.max(0, Math.round(times.doneMs - times.sentMs));
  return `#${number} at ${(times.sentMs / 1000).toFixed(3)} s, copy ${copy}, attempt ${attempt} -> ${answer} in ${took} ms`;
}

/** Probes name their collections by what they hold: calls, mails, jobs; all else is rows. */
export function nounOf({ collection }: Pick<NormalEffect, 'collection'>): string {
  return /^(?:call|mail|job|line|message|file|request)s$/.test(collection) ? collection.slice(0, -1) : 'row';
}
