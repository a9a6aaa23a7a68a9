import { overlap } from './moment.ts';
import type { NormalCell } from './normal-cell.ts';
import type { NormalEffect } from './normal-form.ts';
import { eachCell } from './row-cells.ts';

/** Columns whose times move with the clock: `created_at`, but also `expires_at` = now and 30 days. */
export type ClockColumns = {
  /** The cell's text, or that of a baseline's time which was as far from its own run. */
  readonly canonical: (row: NormalEffect, column: string, cell: NormalCell) => string;
};

/** More distances than that in one column are dates of their own, not the clock. */
const MAX_DISTANCES = 32;

type Distance = { readonly text: string; readonly offset: readonly [number, number] };
type Column = { readonly byText: Map<string, string>; readonly distances: Distance[] };

export function learnClockColumns(rows: readonly NormalEffect[]): ClockColumns {
  const groups = new Map<string, Map<string, Column>>();
  for (const row of rows) {
    eachCell(row, (name, { text, offset }) => {
      if (!offset) return;
      const columns = groups.get(row.group) ?? new Map<string, Column>();
      groups.set(row.group, columns);
      const column = columns.get(name) ?? { byText: new Map(), distances: [] };
      columns.set(name, column);
      learn(column, { text, offset });
    });
  }
  return {
    canonical: (row, name, { text, offset, isFact }) => {
      if (!offset || isFact) return text;
      const column = groups.get(row.group)?.get(name);
      return column?.byText.get(text) ?? nearest(column, offset)?.text ?? text;
    },
  };
}

function learn(column: Column, distance: Distance): void {
  if (column.byText.has(distance.text)) return;
  const near = nearest(column, distance.offset);
  column.byText.set(distance.text, near?.text ?? distance.text);
  if (!near && column.distances.length < MAX_DISTANCES) column.distances.push(distance);
}

function nearest(column: Column | undefined, offset: Distance['offset']): Distance | undefined {
  return column?.distances.find((distance) => overlap(distance.offset, offset));
}
