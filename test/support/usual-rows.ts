import Database from 'better-sqlite3';

export type Row = Readonly<Record<string, unknown>>;

/** A table's rows by the usual names, in a database that has other ones (usual name to other name). */
export function usualRows(db: string, table: string, names: Readonly<Record<string, string>> | null): readonly Row[] {
  const usual = new Map(Object.entries(names ?? {}).map(([name, other]) => [other, name]));
  const reader = new Database(db, { readonly: true });
  try {
    const rows = reader.prepare<[], Row>(`SELECT * FROM ${names?.[table] ?? table}`).all();
    return rows.map((row) =>
      Object.fromEntries(Object.entries(row).map(([column, value]) => [usual.get(column) ?? column, value])),
    );
  } finally {
    reader.close();
  }
}
