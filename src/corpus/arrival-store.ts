import type { Arrival, Corpus, NewEvent } from '../model/corpus.ts';
import type { CapturedAnswer, EventFacts, Headers, Mark, RawRequest } from '../model/event.ts';
import { factsOf } from '../providers/locate.ts';
import { isoTime } from '../support/clock.ts';
import type { SqliteDatabase } from '../support/sqlite.ts';
import { rowOf } from './event-rows.ts';
import { insertEvent, newId } from './insert-event.ts';
import { type Prepare, transacting } from './prepare.ts';

type ArrivalStore = Pick<Corpus, 'receive' | 'index' | 'answered'>;

/**
 * Deliveries that came in and are no events yet. The table has no index and nothing in it is read out of the payload: an arrival
 * costs a tenth of an event. Which one an answer belongs to is known to the process that received it.
 */
export function arrivalStore(db: SqliteDatabase, prepare: Prepare): ArrivalStore {
  const inOne = transacting(db);
  const waiting = new Map<string, number | bigint>();
  const freeId = (): string => {
    const id = newId();
    return waiting.has(id) || prepare('SELECT 1 FROM event WHERE id = ?').get(id) !== undefined ? freeId() : id;
  };
  const keep = (arrival: Arrival): string => {
    const id = freeId();
    const insert = prepare('INSERT INTO arrival (id, received_at, head, payload) VALUES (?, ?, ?, ?)');
    const { lastInsertRowid } = insert.run(id, Date.parse(arrival.receivedAt), headOf(arrival), arrival.payload);
    waiting.set(id, lastInsertRowid);
    return id;
  };
  return {
    receive: inOne((arrivals: readonly Arrival[]) => arrivals.map(keep)),
    index: inOne((limit: number) => {
      const rows = prepare('SELECT * FROM arrival ORDER BY seq LIMIT ?').all(limit) as ArrivalRow[];
      for (const row of rows) {
        const event = eventOf(row);
        insertEvent(prepare, { row: rowOf(event), tags: event.tags, id: row.id });
        waiting.delete(row.id);
      }
      prepare('DELETE FROM arrival WHERE seq <= ?').run(rows.at(-1)?.seq ?? 0);
      return rows.length === limit;
    }),
    answered: inOne((answers: Parameters<Corpus['answered']>[0]) => {
      const early = prepare('UPDATE arrival SET answer = ? WHERE seq = ?');
      const late = prepare('UPDATE event SET answer = ? WHERE id = ?');
      for (const { id, answer } of answers) {
        const text = JSON.stringify(answer);
        const seq = waiting.get(id);
        if (seq === undefined || early.run(text, seq).changes === 0) late.run(text, id);
      }
    }),
  };
}

/** Whether `index` has anything to do; takes no lock. */
export function hasArrivals(prepare: Prepare): boolean {
  return prepare('SELECT 1 FROM arrival LIMIT 1').get() !== undefined;
}

type ArrivalRow = {
  readonly seq: number;
  readonly id: string;
  readonly received_at: number;
  readonly head: string;
  readonly answer: string | null;
  readonly payload: Uint8Array;
};

/** Everything but the payload, in one column. */
type Head = readonly [
  method: string,
  path: string,
  query: string | null,
  headers: Headers,
  tags: readonly string[],
  marks: readonly Mark[],
  originalBytes: number | null,
  provider: string | null,
];

function headOf({ method, path, query, headers, tags, marks, originalBytes, provider }: Arrival): string {
  const head: Head = [method, path, query, headers, tags, marks, originalBytes ?? null, provider ?? null];
  return JSON.stringify(head);
}

function eventOf(row: ArrivalRow): NewEvent {
  const [method, path, query, headers, tags, marks, originalBytes, provider] = JSON.parse(row.head) as Head;
  const request = { method, path, query, headers, payload: row.payload };
  return {
    ...request,
    ...readFacts(request, provider ?? undefined),
    receivedAt: isoTime(row.received_at),
    tags,
    marks,
    originalBytes: originalBytes ?? undefined,
    answer: row.answer === null ? undefined : (JSON.parse(row.answer) as CapturedAnswer),
    origin: 'capture',
  };
}

/** Whatever a payload may do to the reader of facts, its delivery is kept. */
function readFacts(request: RawRequest, provider: string | undefined): EventFacts {
  try {
    return factsOf(request, provider);
  } catch {
    return { provider: provider ?? 'generic' };
  }
}
