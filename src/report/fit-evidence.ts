import stringWidth from 'string-width';
import type { Finding } from '../model/finding.ts';
import { shortenMiddle } from '../support/shorten.ts';
import { wrapped } from './layout.ts';
import type { Style } from './style.ts';

const LEAST = 24;
/** Characters of one value, in a wide and in a narrow terminal. */
const [MOST_VALUE, MOST_NARROW] = [22, 12];
const NARROW = 60;
const MORE = ' ...';

/** One line of evidence that shows a row: `added 3: id=3 total=10   <- second effect`. */
type RowLine = {
  readonly head: string;
  readonly columns: ReadonlyMap<string, string>;
  /** True when the line had been cut already. */
  readonly isCut: boolean;
  readonly mark: string;
};

/**
 * Evidence in the width of the terminal: rows a line each, with the same columns, so that they can be compared. Where they
 * do not fit, columns that tell nothing new go first and long values are cut in the middle. In a pipe, and in JSON,
 * everything stands in full.
 */
export function fitEvidence(
  lines: readonly string[],
  finding: Pick<Finding, 'effect' | 'expected'>,
  { indent, style }: { readonly indent: number; readonly style: Style },
): readonly string[] {
  const short = lines.map((line) => withoutName(line, finding.effect));
  if (style.width === 0) return short.map((line) => `${' '.repeat(indent)}${line}`);
  const room = Math.max(LEAST, style.width - indent);
  const rows = short.map(readRow);
  const chosen = chooseColumns(
    rows.filter((row) => row !== undefined),
    { room, expected: finding.expected },
  );
  return rows.flatMap((row, at) =>
    row ? [`${' '.repeat(indent)}${rowText(row, chosen, mostIn(room))}`] : wrapped(short[at] ?? '', indent, style),
  );
}

/** The finding's title names the effect already: `added shop.orders 3: id=3` becomes `added 3: id=3`. */
function withoutName(line: string, effect: string | undefined): string {
  const [, verb = '', rest = ''] = /^((?:in the baseline: )?(?:added|changed|removed) )(.*)$/s.exec(line) ?? [];
  return effect !== undefined && rest.startsWith(`${effect} `) ? `${verb}${rest.slice(effect.length + 1)}` : line;
}

function readRow(line: string): RowLine | undefined {
  const [, body = '', cutMark, mark = ''] = /^(.*?)( \.\.\.)?( {3}<- .*)?$/s.exec(line) ?? [];
  const [head = '', ...cells] = body.split(/ (?=[^\s=]+=)/);
  if (cells.length === 0) return undefined;
  const columns = new Map(cells.map((cell) => [cell.slice(0, cell.indexOf('=')), cell.slice(cell.indexOf('=') + 1)]));
  return { head, columns, isCut: cutMark !== undefined, mark };
}

/** Columns for all rows alike: those the finding is about, then those that do not just repeat the row's key. */
function chooseColumns(
  rows: readonly RowLine[],
  { room, expected }: { readonly room: number; readonly expected: string },
): ReadonlySet<string> {
  const all = [...new Set(rows.flatMap(({ columns }) => [...columns.keys()]))];
  if (rows.every((row) => stringWidth(rowText(row, new Set(all), Number.POSITIVE_INFINITY)) <= room))
    return new Set(all);
  const worth = (name: string) => {
    if (expected.includes(`${name}=`)) return 0;
    return rows.every(({ head, columns }) => head.endsWith(` ${columns.get(name)}:`)) ? 2 : 1;
  };
  const chosen = new Set<string>();
  for (const name of all.toSorted((a, b) => worth(a) - worth(b))) {
    const wider = new Set([...chosen, name]);
    if (rows.every((row) => stringWidth(rowText(row, wider, mostIn(room))) <= room)) chosen.add(name);
  }
  return chosen;
}

function mostIn(room: number): number {
  return room < NARROW ? MOST_NARROW : MOST_VALUE;
}

function rowText({ head, columns, isCut, mark }: RowLine, chosen: ReadonlySet<string>, mostValue: number): string {
  const isWhole = [...columns.keys()].every((name) => chosen.has(name));
  const cells = [...columns].filter(([name]) => chosen.has(name));
  const start = head.replace(/\S+:$/, (key) => `${shortenMiddle(key.slice(0, -1), mostValue)}:`);
  const text = [start, ...cells.map(([name, cell]) => `${name}=${shortenMiddle(cell, mostValue)}`)].join(' ');
  return `${text}${isWhole && !isCut ? '' : MORE}${mark}`;
}
