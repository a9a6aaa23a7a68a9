import type { Cell } from '../model/effect.ts';

/** `undefined` where the primary key does not name the row: there is none, or a part of it is NULL (SQLite allows that). */
export function keyOf(parts: readonly Cell[]): string | undefined {
  if (parts.length === 0 || parts.includes(null)) return undefined;
  const [only] = parts;
  return parts.length === 1 ? keyPart(only ?? null) : `(${parts.map(keyPart).join(', ')})`;
}

/** Text that could be taken for something else is quoted: a key column may hold 1 and '1'. */
const AMBIGUOUS = /^(-?[\d.]+(e[+-]?\d+)?)?$|[,()"]/i;

function keyPart(cell: Cell): string {
  if (typeof cell === 'string') return AMBIGUOUS.test(cell) ? JSON.stringify(cell) : cell;
  return typeof cell === 'object' && cell !== null ? `x'${cell.bytes}'` : String(cell);
}

export function contentKey(cells: readonly Cell[]): string {
  return cells.map(keyPart).join(', ');
}

/** The last resort for rows that nothing tells apart: they are counted. */
export function distinctKeys(): (key: string) => string {
  const seen = new Map<string, number>();
  return (key) => {
    const count = (seen.get(key) ?? 0) + 1;
    seen.set(key, count);
    return count === 1 ? key : `${key} (${count})`;
  };
}
