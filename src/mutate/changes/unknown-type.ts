import type { Headers, WebhookEvent } from '../../model/event.ts';
import { findProvider } from '../../providers/list.ts';
import { partsOf } from '../../providers/locate.ts';
import { jsonSpans, type Span } from '../json-spans.ts';
import { byteAt } from '../view.ts';
import type { Change } from './change.ts';
import { bytesOf, latin1Of } from './json-layout.ts';

const UNKNOWN = 'webhook_replay.unknown';

/** Senders add types without asking; a receiver that answers them with an error is retried and in the end switched off (zulip#24721). */
export const unknownType: Change = {
  id: 'unknown-type',
  summary: 'an event of a type that does not exist',
  apply: (event) => {
    const places = findProvider(event.provider)
      .locate.type.flatMap(partsOf)
      .map(({ place }) => place);
    const headers = places.reduce(withTypeHeader, event.headers);
    const payload = places.reduce(withTypeInBody, event.payload);
    return headers === event.headers && payload === event.payload ? undefined : { payload, headers };
  },
};

function withTypeHeader(headers: Headers, place: string): Headers {
  const name = /^header:(.*)$/.exec(place)?.[1]?.toLowerCase();
  if (name === undefined || !headers.some(([header]) => header.toLowerCase() === name)) return headers;
  return headers.map((header) => (header[0].toLowerCase() === name ? [header[0], UNKNOWN] : header));
}

function withTypeInBody(payload: WebhookEvent['payload'], place: string): Uint8Array {
  const pointer = /^body:(.*)$/.exec(place)?.[1];
  const text = latin1Of(payload);
  const span = jsonSpans({ text, start: 0 }).spans.find((one) => one.kind === 'string' && one.pointer === pointer);
  return span ? bytesOf(replaceSpan(text, span)) : payload;
}

function replaceSpan(text: string, { view }: Span): string {
  return `${text.slice(0, byteAt(view, 0))}${UNKNOWN}${text.slice(byteAt(view, view.text.length))}`;
}
