import type { Row } from '../model/effect.ts';
import { ProbeError } from '../support/errors.ts';
import { rowsOfAnswer } from './postgres-answer.ts';
import type { PostgresSession } from './postgres-session.ts';
import type { PostgresTable } from './postgres-tables.ts';

/** How many places are asked for at once. */
const AT_ONCE = 10_000;

/** Where a version of a row lies: its table, which may be one of several parts, and its place in the file. */
const PLACE = `tableoid::text || ctid::text`;

/**
 * What happened to a large table between two moments, read off the row headers (xmin: who wrote this version; xmax: who ended it).
 * Versions of rows stay at their places as long as the past is held open, so a place that both moments show is an untouched row.
 */
export async function touchedRows(
  { past: then, present: now }: { readonly past: PostgresTable; readonly present: PostgresTable | undefined },
  { past, present }: { readonly past: PostgresSession; readonly present: PostgresSession },
): Promise<{ readonly before: readonly Row[]; readonly after: readonly Row[] }> {
  if (now?.files !== then.files) throw rewritten(then.name);
  const written = `age(xmin) <= (SELECT age('${past.horizon()}'::xid))`;
  const after = await rowsOnlyIn(now, { here: present, there: past, where: written });
  const before = await rowsOnlyIn(then, { here: past, there: present, where: 'xmax <> 0' });
  return { before, after };
}

type Side = {
  readonly here: PostgresSession;
  readonly there: PostgresSession;
  /** True for every row that only `here` shows, and for some others. */
  readonly where: string;
};

async function rowsOnlyIn(table: PostgresTable, { here, there, where }: Side): Promise<readonly Row[]> {
  const candidates = await here.visit(() => here.query(`SELECT ${PLACE}, ctid FROM ${table.relation} WHERE ${where}`));
  const places = candidates.rows.map(([place, ctid]) => ({ place: place ?? '', ctid: ctid ?? '' }));
  const shared = new Set(
    (await at(places, 'tableoid', { table, session: there })).flatMap(({ rows }) => rows.map(([place]) => place)),
  );
  const only = places.filter(({ place }) => !shared.has(place));
  const answers = await at(only, '*', { table, session: here });
  const [first] = answers;
  if (!first) return [];
  const columns = first.columns.slice(1);
  const rows = answers.flatMap((answer) => answer.rows.map(([_place, ...values]) => values));
  return rowsOfAnswer({ columns, rows }, table.key);
}

type Place = { readonly place: string; readonly ctid: string };

/** The rows that a moment shows at these places, the place in front. */
async function at(
  places: readonly Place[],
  columns: string,
  { table, session }: { readonly table: PostgresTable; readonly session: PostgresSession },
) {
  const answers = [];
  for (let start = 0; start < places.length; start += AT_ONCE) {
    const part = places.slice(start, start + AT_ONCE);
    const wanted = new Set(part.map(({ place }) => place));
    const sql = `SELECT ${PLACE}, ${columns} FROM ${table.relation} WHERE ctid = ANY($1::tid[])`;
    const answer = await session.visit(() => session.query(sql, [[...new Set(part.map(({ ctid }) => ctid))]]));
    answers.push({ ...answer, rows: answer.rows.filter(([place]) => wanted.has(place ?? '')) });
  }
  return answers;
}

function rewritten(name: string): ProbeError {
  return new ProbeError(
    `the table ${name} was dropped, truncated or written anew while it was observed, so what was removed is not known.`,
    {
      hint: 'Delete rows instead (DELETE FROM), or empty the table in --reset, before anything is observed.',
    },
  );
}
