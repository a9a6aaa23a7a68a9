import type { ChalkInstance } from 'chalk';
import { writeJsonlEvent } from '../formats/jsonl.ts';
import type { CapturedAnswer, Headers, WebhookEvent } from '../model/event.ts';
import { printable } from '../support/printable.ts';
import { isCredentialHeader } from '../support/redact.ts';
import { bodyView } from './body-view.ts';
import { answerSentence, markText, timeText } from './event-texts.ts';

export type ShownEvent = {
  readonly event: WebhookEvent;
  readonly answer: CapturedAnswer | undefined;
  /** False: the values of credential headers are masked. */
  readonly reveal: boolean;
};

const MASK = '***';

/** The export line as a document of its own; credentials are masked in it unless revealed. */
export function eventDocument({ event, answer, reveal }: ShownEvent): unknown {
  const shown = reveal ? event : { ...event, headers: masked(event.headers) };
  return JSON.parse(writeJsonlEvent(shown, answer)) as unknown;
}

type Look = { readonly paint: ChalkInstance; readonly nowMs: number };

export function eventAsText({ event, answer, reveal }: ShownEvent, { paint, nowMs }: Look): string {
  const headers = reveal ? event.headers : masked(event.headers);
  const target = event.query === null ? event.path : `${event.path}?${event.query}`;
  const view = bodyView(event.payload, event.headers);
  const lines = [
    ...facts(event, answer, nowMs).map(([name, value]) => `${paint.dim(name.padEnd(10))} ${printable(value)}`),
    ...event.marks.map((mark) => `${paint.yellow('warning:')} ${markText(mark)}`),
    '',
    paint.bold(printable(`${event.method} ${target}`)),
    ...headers.map(([name, value]) => `${paint.cyan(printable(name))}: ${printable(value)}`),
    ...(headers === event.headers ? [] : hiddenNote(event.headers, paint)),
    '',
    paint.dim(`${bytesText(event)}, shown as ${view.title}`),
    ...(view.text === '' ? [] : [view.text]),
  ];
  return `${lines.join('\n')}\n`;
}

function facts(
  event: WebhookEvent,
  answer: CapturedAnswer | undefined,
  nowMs: number,
): ReadonlyArray<readonly [string, string]> {
  const all: ReadonlyArray<readonly [string, string | undefined]> = [
    ['id', event.id],
    ['received', timeText(event.receivedAt, nowMs)],
    ['provider', event.provider],
    ['type', event.type],
    ['event', event.eventId],
    ['delivery', event.deliveryId],
    ['occurred', event.occurredAt],
    ['resource', event.resource],
    ['answer', answer && answerSentence(answer)],
    ['tags', event.tags.join(', ') || undefined],
  ];
  return all.flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const]));
}

function bytesText({ payload, originalBytes }: WebhookEvent): string {
  const full = originalBytes === undefined ? '' : ` of ${originalBytes}`;
  return `body: ${payload.length}${full} ${payload.length === 1 ? 'byte' : 'bytes'}`;
}

function hiddenNote(headers: Headers, paint: ChalkInstance): readonly string[] {
  return headers.some(([name]) => isCredentialHeader(name)) ? [paint.dim(`${MASK} is hidden; --reveal shows it`)] : [];
}

function masked(headers: Headers): Headers {
  return headers.map(([name, value]) => (isCredentialHeader(name) ? [name, MASK] : [name, value]));
}
