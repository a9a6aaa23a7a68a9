import type { Collection, Moments, Probe, Row, Snapshot } from '../model/effect.ts';

export type SqlTable = {
  /** What reports call it. */
  readonly name: string;
  /** Too long to be read whole at each look, and of a kind whose touched rows can be found without that. */
  readonly isLarge: boolean;
};

/** One connection to a database. It never writes, and between `enter` and `leave` it shows one moment. */
export type SqlSession<Table extends SqlTable> = {
  /** Connects when it is not connected, and opens a moment. */
  readonly enter: () => Promise<void>;
  /** The tables that are observed, as they are at that moment. */
  readonly tables: () => Promise<readonly Table[]>;
  readonly rows: (table: Table) => Promise<readonly Row[]>;
  readonly count: (table: Table) => Promise<number>;
  /** Reads within the moment, and gives back the locks that reading took, so that none is held as long as the moment. */
  readonly visit: <T>(read: () => Promise<T>) => Promise<T>;
  readonly leave: () => Promise<void>;
  /** See `Probe.version`. */
  readonly version: () => Promise<string>;
  readonly close: () => Promise<void>;
};

/** How one kind of database is read. */
export type SqlEngine<Table extends SqlTable, Session extends SqlSession<Table>> = {
  readonly session: () => Session;
  /** What must be known of a large table at the earlier moment, while nothing is delivered yet. */
  readonly prepare?: (table: Table, past: Session) => Promise<void>;
  /** The rows of a large table that differ between the moments of two sessions, and maybe some that do not. */
  readonly touched: (
    table: { readonly past: Table; readonly present: Table | undefined },
    sessions: { readonly past: Session; readonly present: Session },
  ) => Promise<{ readonly before: readonly Row[]; readonly after: readonly Row[] }>;
};

/**
 * Rows of a database over a real connection. Small tables are kept in memory. While a large one is among them, a second connection
 * holds the earlier moment open, so that nothing of a large table is kept or read but what was touched.
 */
export async function openSqlProbe<Table extends SqlTable, Session extends SqlSession<Table>>(
  { session, prepare, touched }: SqlEngine<Table, Session>,
  names: { readonly name: string; readonly source: string },
): Promise<Probe> {
  const sessions = { past: session(), present: session() };
  let held: ReadonlyMap<string, Held<Table>> = new Map();

  const hold = async (): Promise<Snapshot> => {
    await sessions.past.leave();
    held = (await within(sessions.present, keepSmall)) ?? (await keepInPast());
    return { collections: [...held.values()].map(({ table, rows }) => ({ name: table.name, rows })) };
  };

  const keepInPast = async () => {
    const { past } = sessions;
    await past.enter();
    const kept = await past.visit(async () => keep(past, await past.tables()));
    for (const { table } of kept.values()) if (table.isLarge) await prepare?.(table, past);
    return kept;
  };

  const compare = (): Promise<Moments> =>
    within(sessions.present, async (present) => {
      const now = new Map((await present.tables()).map((table) => [table.name, table]));
      const before: Collection[] = [];
      const after: Collection[] = [];
      for (const name of new Set([...held.keys(), ...now.keys()])) {
        const then = held.get(name);
        const table = now.get(name);
        const rows =
          then?.table.isLarge === true
            ? await touched({ past: then.table, present: table }, sessions)
            : { before: then?.rows ?? [], after: table ? await present.rows(table) : [] };
        before.push({ name, rows: rows.before });
        after.push({ name, rows: rows.after });
      }
      return { before: { collections: before }, after: { collections: after } };
    });

  const close = async () => {
    await Promise.all([sessions.past.close(), sessions.present.close()]);
  };

  try {
    await within(sessions.present, (present) => present.tables());
  } catch (error) {
    await close();
    throw error;
  }
  return {
    ...names,
    read: () => within(sessions.present, readAll),
    version: () => sessions.present.version(),
    moments: { hold, compare },
    close,
  };
}

/** A table at the earlier moment, with its rows unless it is large. */
type Held<Table> = { readonly table: Table; readonly rows: readonly Row[] };

async function within<Session extends Pick<SqlSession<never>, 'enter' | 'leave'>, T>(
  session: Session,
  use: (session: Session) => Promise<T>,
): Promise<T> {
  await session.enter();
  try {
    return await use(session);
  } finally {
    await session.leave();
  }
}

/** Nothing when a table is large: then another session must hold this moment. */
async function keepSmall<Table extends SqlTable>(session: SqlSession<Table>) {
  const tables = await session.tables();
  return tables.some(({ isLarge }) => isLarge) ? undefined : await keep(session, tables);
}

async function keep<Table extends SqlTable>(session: SqlSession<Table>, tables: readonly Table[]) {
  const kept = new Map<string, Held<Table>>();
  for (const table of tables) kept.set(table.name, { table, rows: table.isLarge ? [] : await session.rows(table) });
  return kept;
}

async function readAll<Table extends SqlTable>(session: SqlSession<Table>): Promise<Snapshot> {
  const collections: Collection[] = [];
  for (const table of await session.tables()) {
    const { name, isLarge } = table;
    collections.push(
      isLarge ? { name, rows: [], total: await session.count(table) } : { name, rows: await session.rows(table) },
    );
  }
  return { collections };
}
