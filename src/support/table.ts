import type { ChalkInstance } from 'chalk';
import { printable } from './printable.ts';

export type Column = {
  readonly title: string;
  readonly align?: 'left' | 'right' | undefined;
};

export type TableOptions = {
  readonly columns: readonly Column[];
  /** One text for each column; what came from outside may hold anything. */
  readonly rows: ReadonlyArray<readonly string[]>;
  /** Columns of the terminal. */
  readonly width: number;
  /** True in a pipe: one record a line, cells separated by a tab, no titles, nothing cut or wrapped. */
  readonly plain: boolean;
  /** For the titles. */
  readonly paint?: ChalkInstance | undefined;
};

const GAP = 2;
/** A table narrower than this is a column of torn words. */
const LEAST_WIDTH = 60;
const LEAST_COLUMN = 6;

/** Rows as text, ended by a line end. Narrow terminals get each row as a record of `title: value` lines. */
export async function renderTable(options: TableOptions): Promise<string> {
  const rows = options.rows.map((row) => row.map((cell) => printable(cell)));
  if (rows.length === 0) return '';
  if (options.plain) return rows.map((row) => `${row.map((cell) => cell || '-').join('\t')}\n`).join('');
  const { default: stringWidth } = await import('string-width');
  const widths = options.columns.map(({ title }, at) =>
    Math.max(stringWidth(title), ...rows.map((row) => stringWidth(row[at] ?? ''))),
  );
  const fitted = options.width < LEAST_WIDTH ? undefined : fitWidths(widths, options.width);
  return fitted ? await asTable({ ...options, rows }, fitted) : asRecords({ ...options, rows });
}

/** Takes from the widest column until all fit; `undefined` when that would leave too little of one. */
export function fitWidths(natural: readonly number[], width: number): readonly number[] | undefined {
  const widths = [...natural];
  const room = width - GAP * (widths.length - 1);
  for (let sum = widths.reduce((a, b) => a + b, 0); sum > room; sum--) {
    const widest = widths.indexOf(Math.max(...widths));
    const narrowed = (widths[widest] ?? 0) - 1;
    if (narrowed < LEAST_COLUMN) return undefined;
    widths[widest] = narrowed;
  }
  return widths;
}

async function asTable({ columns, rows, paint }: TableOptions, widths: readonly number[]): Promise<string> {
  const [{ default: Table }, { default: wrapAnsi }] = await Promise.all([import('cli-table3'), import('wrap-ansi')]);
  // cli-table3 knows nothing of terminals and cuts escape codes in half, so each cell is wrapped before.
  const fit = (row: readonly string[]) =>
    widths.map((width, at) => wrapAnsi(row[at] ?? '', width, { hard: true, trim: true }));
  const table = new Table({
    head: columns.map(({ title }) => paint?.bold(title) ?? title),
    chars: NO_LINES,
    colWidths: widths.map((width) => width + GAP),
    colAligns: columns.map(({ align }) => align ?? 'left'),
    style: { 'padding-left': 0, 'padding-right': GAP, head: [], border: [] },
  });
  table.push(...rows.map(fit));
  return `${table
    .toString()
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n')}\n`;
}

const NO_LINES = Object.fromEntries(
  [
    'top',
    'top-mid',
    'top-left',
    'top-right',
    'bottom',
    'bottom-mid',
    'bottom-left',
    'bottom-right',
    'left',
    'left-mid',
    'mid',
    'mid-mid',
    'right',
    'right-mid',
    'middle',
  ].map((name) => [name, '']),
);

function asRecords({ columns, rows, paint }: TableOptions): string {
  const longest = Math.max(...columns.map(({ title }) => title.length));
  const record = (row: readonly string[]) =>
    columns
      .map(({ title }, at) => [title, row[at] ?? ''] as const)
      .filter(([, cell]) => cell !== '')
      .map(([title, cell]) => `${paint?.bold(title) ?? title}${' '.repeat(longest - title.length + GAP)}${cell}\n`)
      .join('');
  return rows.map(record).join('\n');
}
