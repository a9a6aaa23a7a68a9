import type { EventSummary, NewEvent } from '../model/corpus.ts';
import type { CapturedAnswer, Headers, Mark, WebhookEvent } from '../model/event.ts';
import { isoTime } from '../support/clock.ts';
import { digestOf } from './digest.ts';

/** The columns that `summaryOf` reads. */
export const SUMMARY_COLUMNS = `seq, id, received_at, provider, type, event_id, delivery_id, occurred_at, resource,
  method, path, marks, payload_bytes, original_bytes, answer,
  (SELECT json_group_array(tag) FROM event_tag WHERE event_tag.event = event.seq) AS tags`;

/** The columns that `eventOf` reads. */
export const EVENT_COLUMNS = `${SUMMARY_COLUMNS}, query, headers, payload`;

export type SummaryRow = {
  readonly seq: number;
  readonly id: string;
  readonly received_at: number;
  readonly provider: string;
  readonly type: string | null;
  readonly event_id: string | null;
  readonly delivery_id: string | null;
  readonly occurred_at: string | null;
  readonly resource: string | null;
  readonly method: string;
  readonly path: string;
  readonly marks: string;
  readonly payload_bytes: number;
  readonly original_bytes: number | null;
  readonly answer: string | null;
  readonly tags: string;
};

export type EventRow = SummaryRow & {
  readonly query: string | null;
  readonly headers: string;
  readonly payload: Uint8Array;
};

export function summaryOf(row: SummaryRow): EventSummary {
  return {
    ...identityOf(row),
    payloadBytes: row.payload_bytes,
    ...(row.answer === null ? {} : { answer: JSON.parse(row.answer) as CapturedAnswer }),
  };
}

export function eventOf(row: EventRow): WebhookEvent {
  const { buffer, byteOffset, byteLength } = row.payload;
  return {
    ...identityOf(row),
    query: row.query,
    headers: JSON.parse(row.headers) as Headers,
    payload: new Uint8Array(buffer, byteOffset, byteLength),
  };
}

function identityOf(row: SummaryRow) {
  return {
    id: row.id,
    receivedAt: isoTime(row.received_at),
    provider: row.provider,
    ...present('type', row.type),
    ...present('eventId', row.event_id),
    ...present('deliveryId', row.delivery_id),
    ...present('occurredAt', row.occurred_at),
    ...present('resource', row.resource),
    method: row.method,
    path: row.path,
    tags: JSON.parse(row.tags) as string[],
    marks: JSON.parse(row.marks) as Mark[],
    ...(row.original_bytes === null ? {} : { originalBytes: row.original_bytes }),
  };
}

function present<K extends string>(key: K, value: string | null): { readonly [P in K]?: string } {
  return value === null ? {} : ({ [key]: value } as { readonly [P in K]?: string });
}

/** The event as named parameters of the INSERT; `id` is chosen by the caller. */
export function rowOf(event: NewEvent) {
  return {
    givenId: event.id ?? null,
    receivedAt: Date.parse(event.receivedAt),
    provider: event.provider,
    type: event.type ?? null,
    eventId: event.eventId ?? null,
    deliveryId: event.deliveryId ?? null,
    occurredAt: event.occurredAt ?? null,
    resource: event.resource ?? null,
    method: event.method,
    path: event.path,
    query: event.query,
    marks: JSON.stringify(event.marks),
    originalBytes: event.originalBytes ?? null,
    payloadBytes: event.payload.length,
    answer: event.answer ? JSON.stringify(event.answer) : null,
    digest: digestOf(event),
    headers: JSON.stringify(event.headers),
    payload: event.payload,
  };
}
