import { uniqueId } from '../support/random.ts';
import type { rowOf } from './event-rows.ts';
import type { Prepare } from './prepare.ts';

/** About as many as ten people can make in a year before two ids meet; then another one is drawn. */
const ID_LENGTH = 6;
const PLAIN_ID = /^[A-Za-z0-9_-]{4,64}$/;

const INSERT = `INSERT INTO event (id, given_id, received_at, provider, type, event_id, delivery_id, occurred_at, resource,
    method, path, query, marks, original_bytes, payload_bytes, answer, digest, headers, payload)
  VALUES (@id, @givenId, @receivedAt, @provider, @type, @eventId, @deliveryId, @occurredAt, @resource,
    @method, @path, @query, @marks, @originalBytes, @payloadBytes, @answer, @digest, @headers, @payload)
  ON CONFLICT (id) DO NOTHING`;

export const ADD_TAG = 'INSERT OR IGNORE INTO event_tag SELECT seq, ? FROM event WHERE id = ?';

type Insertion = {
  readonly row: ReturnType<typeof rowOf>;
  readonly tags: readonly string[];
  /** The one it should have; where it is taken it gets another. */
  readonly id: string | null;
};

/** Returns the id it got. */
export function insertEvent(prepare: Prepare, { row, tags, id: wanted }: Insertion): string {
  let id = wanted !== null && PLAIN_ID.test(wanted) ? wanted : newId();
  while (prepare(INSERT).run({ ...row, id }).changes === 0) id = newId();
  for (const tag of tags) prepare(ADD_TAG).run(tag, id);
  return id;
}

export function newId(): string {
  return uniqueId(ID_LENGTH);
}
