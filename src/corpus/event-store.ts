import type { Added, Corpus, EventFilter, NewEvent, Page } from '../model/corpus.ts';
import type { CapturedAnswer } from '../model/event.ts';
import { UserError } from '../support/errors.ts';
import type { SqliteDatabase } from '../support/sqlite.ts';
import {
  EVENT_COLUMNS,
  type EventRow,
  eventOf,
  rowOf,
  SUMMARY_COLUMNS,
  type SummaryRow,
  summaryOf,
} from './event-rows.ts';
import { ADD_TAG, insertEvent } from './insert-event.ts';
import { type Prepare, transacting } from './prepare.ts';
import { type Where, whereOf } from './where.ts';

type EventStore = Pick<Corpus, 'add' | 'get' | 'list' | 'events' | 'count' | 'answerOf' | 'tag' | 'remove'>;

const SAME = `SELECT id FROM event WHERE digest = @digest
  AND (@givenId IS NULL OR id = @givenId OR given_id = @givenId)
  AND (@dated = 0 OR received_at = @receivedAt) LIMIT 1`;

export function eventStore(db: SqliteDatabase, prepare: Prepare): EventStore {
  const inOne = transacting(db);
  return {
    add: inOne((events: readonly NewEvent[]) => events.map((event) => addOne(prepare, event))),
    get: (id) => {
      const row =
        prepare(`SELECT ${EVENT_COLUMNS} FROM event WHERE id = ?`).get(id) ??
        prepare(
          `SELECT ${EVENT_COLUMNS} FROM event WHERE event_id = ? ORDER BY received_at DESC, seq DESC LIMIT 1`,
        ).get(id);
      return row === undefined ? undefined : eventOf(row as EventRow);
    },
    list: (filter, page) => (select(prepare, SUMMARY_COLUMNS, { filter, page }) as SummaryRow[]).map(summaryOf),
    events: (filter, page) => (select(prepare, EVENT_COLUMNS, { filter, page }) as EventRow[]).map(eventOf),
    count: (filter) => {
      const { sql, values } = whereOf(filter);
      return prepare(`SELECT count(*) FROM event WHERE ${sql}`)
        .pluck()
        .get(...values) as number;
    },
    answerOf: (id) => {
      const text = prepare('SELECT answer FROM event WHERE id = ?').pluck().get(id) as string | null | undefined;
      return text ? (JSON.parse(text) as CapturedAnswer) : undefined;
    },
    tag: inOne((ids: readonly string[], change: Parameters<Corpus['tag']>[1]) => {
      const drop = prepare('DELETE FROM event_tag WHERE tag = ? AND event = (SELECT seq FROM event WHERE id = ?)');
      for (const id of ids) {
        for (const tag of change.add) prepare(ADD_TAG).run(tag, id);
        for (const tag of change.remove) drop.run(tag, id);
      }
    }),
    remove: (ids) => {
      const removed = inOne((some: readonly string[]) => removeAll(prepare, some))(ids);
      db.pragma('incremental_vacuum');
      db.pragma('wal_checkpoint(TRUNCATE)');
      return removed;
    },
  };
}

function addOne(prepare: Prepare, event: NewEvent): Added {
  const row = rowOf(event);
  if (event.origin === 'import') {
    const { digest, givenId, receivedAt } = row;
    const same = prepare(SAME)
      .pluck()
      .get({ digest, givenId, receivedAt, dated: event.dated ? 1 : 0 });
    if (typeof same === 'string') return { id: same, kept: 'already-there' };
  }
  return { id: insertEvent(prepare, { row, tags: event.tags, id: row.givenId }), kept: 'new' };
}

function select(
  prepare: Prepare,
  columns: string,
  { filter, page }: { readonly filter: EventFilter; readonly page: Page },
): unknown[] {
  const behind = page.after === undefined ? undefined : behindOf(prepare, page.after, page.order);
  const direction = page.order === 'newest-first' ? 'DESC' : 'ASC';
  const order = `ORDER BY received_at ${direction}, seq ${direction}`;
  // The inner queries are answered by an index alone, so that rows with their payloads are only read for the page itself.
  const parts = typesFor(prepare, filter).map((type) => {
    const { sql, values } = whereOf(filter, type);
    const rows = `SELECT seq, received_at FROM event WHERE ${sql} ${behind ? `AND ${behind.sql}` : ''} ${order} LIMIT ?`;
    return { sql: `SELECT * FROM (${rows})`, values: [...values, ...(behind?.values ?? []), page.limit] };
  });
  const found = parts.map(({ sql }) => sql).join(' UNION ALL ');
  return prepare(
    `SELECT ${columns} FROM event WHERE seq IN (SELECT seq FROM (${found}) ${order} LIMIT ?) ${order}`,
  ).all(...parts.flatMap(({ values }) => values), page.limit);
}

/** More parts than this are no gain, and SQLite takes no more than 500. */
const MOST_TYPES = 100;

/** A page of several types is put together from one page of each: an index has those in order of time, and all of them together in none. */
function typesFor(prepare: Prepare, filter: EventFilter): ReadonlyArray<string | undefined> {
  if (!filter.types) return [undefined];
  const { sql, values } = whereOf({ types: filter.types });
  const types = prepare(`${TYPES} WHERE ${sql} LIMIT ?`)
    .pluck()
    .all(...values, MOST_TYPES + 1) as string[];
  return types.length === 0 || types.length > MOST_TYPES ? [undefined] : types;
}

/** All types that there are: each is looked up behind the one before it, whatever the number of their events. */
const TYPES = `WITH RECURSIVE known (type) AS (
    SELECT min(type) FROM event WHERE type IS NOT NULL
    UNION ALL SELECT (SELECT min(type) FROM event WHERE type > known.type) FROM known WHERE known.type IS NOT NULL
  ) SELECT type FROM known`;

function behindOf(prepare: Prepare, id: string, order: Page['order']): Where {
  const row = prepare('SELECT received_at, seq FROM event WHERE id = ?').get(id) as
    | { readonly received_at: number; readonly seq: number }
    | undefined;
  if (!row) {
    throw new UserError('UNKNOWN_EVENT', `There is no event "${id}" to continue behind.`, {
      hint: 'Give the id of the last event of the page before.',
    });
  }
  const sign = order === 'newest-first' ? '<' : '>';
  return { sql: `(received_at, seq) ${sign} (?, ?)`, values: [row.received_at, row.seq] };
}

function removeAll(prepare: Prepare, ids: readonly string[]): number {
  const remove = prepare('DELETE FROM event WHERE id = ?');
  return ids.reduce((sum, id) => sum + remove.run(id).changes, 0);
}
