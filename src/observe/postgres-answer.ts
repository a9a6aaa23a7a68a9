import type { Row } from '../model/effect.ts';
import { postgresCell } from './postgres-cells.ts';
import { rowsOf } from './sql-cells.ts';

/** Values as the server's own text, a column's type beside them. */
export type Answer = {
  readonly columns: ReadonlyArray<{ readonly name: string; readonly type: number }>;
  readonly rows: ReadonlyArray<readonly (string | null)[]>;
};

export type Query = (sql: string, parameters?: readonly unknown[]) => Promise<Answer>;

export function rowsOfAnswer({ columns, rows }: Answer, key: readonly string[]): readonly Row[] {
  const names = columns.map(({ name }) => name);
  const values = rows.map((row) => row.map((text, index) => postgresCell(text, columns[index]?.type ?? 0)));
  return rowsOf(names, key, values);
}
