import type { Cell } from '../model/effect.ts';

const MAX_LEAVES = 1000;
const MAX_DEPTH = 50;

/**
 * Visits the cells of a row. JSON text becomes one cell a leaf, named `column/member/0`, so that a time inside it does not
 * hide the rest.
 */
export function flatten(cells: Readonly<Record<string, Cell>>, visit: (column: string, cell: Cell) => void): void {
  for (const column of Object.keys(cells)) {
    const cell = readable(cells[column] ?? null);
    const document = typeof cell === 'string' && mayBeContainer(cell) ? parseContainer(cell) : undefined;
    const leaves = document ? leavesOf(document, column) : [];
    if (leaves.length === 0 || leaves.length > MAX_LEAVES) visit(column, cell);
    else for (const [path, leaf] of leaves) visit(path, leaf);
  }
}

/** One spelling for a cell's value. */
export function textOf(cell: Cell): string {
  if (cell === null) return 'NULL';
  if (typeof cell === 'object') return `x'${cell.bytes}'`;
  // The same amounts added up in another order differ in the last digits.
  if (typeof cell === 'number' && !Number.isInteger(cell)) return String(Number(cell.toPrecision(12)));
  return String(cell);
}

/** A body kept as bytes is text in most cases. */
function readable(cell: Cell): Cell {
  if (cell === null || typeof cell !== 'object') return cell;
  try {
    const bytes = Uint8Array.from(cell.bytes.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return /^[\t\n\r\x20-\u{10ffff}]*$/u.test(text) ? text : cell;
  } catch {
    return cell;
  }
}

function mayBeContainer(text: string): boolean {
  const first = text.charCodeAt(0);
  return first === OBJECT || first === ARRAY || (first <= SPACE && /^\s*[[{]/.test(text));
}

const [OBJECT, ARRAY, SPACE] = [0x7b, 0x5b, 0x20];

function parseContainer(text: string): object | undefined {
  if (isDeep(text)) return undefined;
  try {
    return JSON.parse(quoteLongIntegers(text)) as object;
  } catch {
    return undefined;
  }
}

/** Payloads are made to hurt; walking them must not exhaust the stack. */
function isDeep(text: string): boolean {
  let depth = 0;
  for (const [bracket] of text.matchAll(/[[\]{}]/g)) {
    depth += bracket === '[' || bracket === '{' ? 1 : -1;
    if (depth > MAX_DEPTH) return true;
  }
  return false;
}

/** Beyond 2^53 two ids could read as one. Where this spoils a text inside the document, the whole stays one cell. */
function quoteLongIntegers(text: string): string {
  return /\d{16}/.test(text) ? text.replace(/([[:,]\s*)(-?\d{16,})(?=\s*[,\]}])/g, '$1"$2"') : text;
}

function leavesOf(value: unknown, path: string): ReadonlyArray<readonly [string, Cell]> {
  if (value === null || typeof value !== 'object') return [[path, value as Cell]];
  const members = Object.entries(value);
  if (members.length === 0) return [[path, Array.isArray(value) ? '[]' : '{}']];
  return members.flatMap(([name, inner]) => leavesOf(inner, `${path}/${name}`));
}
