import type { Arrival, Corpus, NewEvent } from '../model/corpus.ts';
import type { CapturedAnswer, EventFacts, Headers, Mark, RawRequest } from '../model/event.ts';
import { factsOf } from '../providers/locate.ts';
import { isoTime } from '../support/clock.ts';
import type { SqliteDatabase } from '../support/sqlite.ts';
import { rowOf } from './event-rows.ts';
import { insertEvent, newId } from './insert-event.ts';
import type { NewArrivalRow } from './packed-arrivals.ts';
import { type Prepare, transacting } from './prepare.ts';

type ArrivalStore = Pick<Corpus, 'receive' | 'index' | 'answered'> & {
  /** `receive`, for rows that were made elsewhere. */
  readonly receiveRows: (rows: readonly NewArrivalRow[]) => readonly string[];
};

/**
 * Deliveries that came in and are no events yet. The table has no index and nothing in it is read out of the payload: an arrival
 * costs a tenth of an event. An answer that is known before its arrival is indexed stands in a narrow table beside it, so that
 * no payload is written twice.
 */
export function arrivalStore(db: SqliteDatabase, prepare: Prepare): ArrivalStore {
  const inOne = transacting(db);
  /** Given out here, and not known to be those of events yet. */
  const waiting = new Set<string>();
  const freeId = (): string => {
    const id = newId();
    return waiting.has(id) || prepare('SELECT 1 FROM event WHERE id = ?').get(id) !== undefined ? freeId() : id;
  };
  const keep = ({ receivedAt, head, payload }: NewArrivalRow): string => {
    const id = freeId();
    waiting.add(id);
    const insert = prepare('INSERT INTO arrival (id, received_at, head, payload) VALUES (?, ?, ?, ?)');
    insert.run(id, receivedAt, head, payload);
    return id;
  };
  const receiveRows = inOne((rows: readonly NewArrivalRow[]) => rows.map(keep));
  return {
    receive: (arrivals) => receiveRows(arrivals.map(rowOfArrival)),
    receiveRows,
    index: inOne((limit: number) => {
      const rows = prepare(OLDEST).all(limit) as ArrivalRow[];
      for (const row of rows) {
        const event = eventOf(row);
        insertEvent(prepare, { row: rowOf(event), tags: event.tags, id: row.id });
        prepare('DELETE FROM arrival_answer WHERE id = ?').run(row.id);
        waiting.delete(row.id);
      }
      prepare('DELETE FROM arrival WHERE seq <= ?').run(rows.at(-1)?.seq ?? 0);
      if (rows.length === limit) return true;
      // Whatever was received is an event now, whoever made it one. Answers that are left are those of events pruned meanwhile.
      waiting.clear();
      prepare('DELETE FROM arrival_answer').run();
      return false;
    }),
    answered: inOne((answers: Parameters<Corpus['answered']>[0]) => {
      const late = prepare('UPDATE event SET answer = ? WHERE id = ?');
      const early = prepare('INSERT OR REPLACE INTO arrival_answer (id, answer) VALUES (?, ?)');
      for (const { id, answer } of answers) {
        const text = JSON.stringify(answer);
        if (late.run(text, id).changes === 0) early.run(id, text);
      }
    }),
  };
}

const OLDEST = `SELECT seq, id, received_at, head, arrival_answer.answer, payload
  FROM arrival LEFT JOIN arrival_answer USING (id) ORDER BY seq LIMIT ?`;

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

function rowOfArrival(arrival: Arrival): NewArrivalRow {
  return { receivedAt: Date.parse(arrival.receivedAt), head: headOf(arrival), payload: arrival.payload };
}

/** Everything but the payload, as the table keeps it. */
export function headOf({ method, path, query, headers, tags, marks, originalBytes, provider }: Arrival): string {
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
