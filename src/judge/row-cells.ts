import type { NormalCell } from './normal-cell.ts';

/** The cells of a row beside the names of their columns. Rows of one table mostly have the same columns, and then share them. */
export type RowCells = { readonly shape: Shape; readonly cells: readonly NormalCell[] };

export type Shape = {
  readonly columns: readonly string[];
  /** In one order, whatever the order of the row's own: the members of a JSON document come in any. */
  readonly sorted: readonly string[];
  readonly places: ReadonlyMap<string, number>;
};

export function cellAt({ shape, cells }: RowCells, column: string): NormalCell | undefined {
  const place = shape.places.get(column);
  return place === undefined ? undefined : cells[place];
}

export function eachCell({ shape, cells }: RowCells, visit: (column: string, cell: NormalCell) => void): void {
  for (let at = 0; at < cells.length; at++) visit(shape.columns[at] as string, cells[at] as NormalCell);
}

/** Gives equal lists of columns as the very same shape. The list may be changed afterwards. */
export function shapeMaker(): (columns: readonly string[]) => Shape {
  const shapes = new Map<string, Shape>();
  let latest: Shape | undefined;
  return (columns) => {
    if (latest && sameColumns(latest.columns, columns)) return latest;
    const name = columns.join('\n');
    latest = shapes.get(name) ?? makeShape([...columns]);
    shapes.set(name, latest);
    return latest;
  };
}

function makeShape(columns: readonly string[]): Shape {
  const places = new Map(columns.map((column, place) => [column, place]));
  return { columns, sorted: columns.toSorted(), places };
}

function sameColumns(a: readonly string[], b: readonly string[]): boolean {
  if (a.length !== b.length) return false;
  for (let at = 0; at < a.length; at++) if (a[at] !== b[at]) return false;
  return true;
}
