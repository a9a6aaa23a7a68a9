import type { EventFacts, WebhookEvent } from '../model/event.ts';
import { bodySpans } from './body-spans.ts';
import { headerSpans, roleOfHeader } from './collect.ts';
import { type Occurrence, occurrencesIn, occurrencesInId, occurrencesInText } from './occurrences.ts';
import type { Registry } from './registry.ts';
import type { RoleOf } from './role.ts';

/** New texts of a round, by the unit's index. */
export type Texts = readonly string[];

/** Puts new texts into events and ids. What is replaced in an event is found once and used in every round. */
export type Applier = {
  readonly event: (event: WebhookEvent, texts: Texts) => WebhookEvent;
  readonly id: (id: string, texts: Texts) => string;
};

export function createApplier(registry: Registry, roleOf: RoleOf): Applier {
  const known = new WeakMap<WebhookEvent, Places>();
  const renewId = (id: string, texts: Texts) => replace(id, occurrencesInId(id, registry), texts);
  const renewFact = (fact: string, texts: Texts): string => {
    if (registry.ids.has(fact) || registry.kept.has(fact)) return renewId(fact, texts);
    // A resource's name may be of parts: `octo/hello/issue/7`.
    if (fact.includes('/'))
      return fact
        .split('/')
        .map((part) => renewFact(part, texts))
        .join('/');
    return replace(fact, occurrencesInText({ text: fact, start: 0 }, registry), texts);
  };
  return {
    id: renewId,
    event: (event, texts) => {
      const places = known.get(event) ?? findPlaces(event, roleOf, registry);
      known.set(event, places);
      return {
        ...event,
        ...renewRequest(event, places, texts),
        ...renewFacts(event, (fact) => renewFact(fact, texts)),
      };
    },
  };
}

/** Where units stand in one event. */
type Places = {
  readonly payload: readonly Occurrence[];
  readonly headers: ReadonlyArray<readonly Occurrence[]>;
  readonly path: readonly Occurrence[];
  readonly query: readonly Occurrence[];
};

function findPlaces(event: WebhookEvent, roleOf: RoleOf, registry: Registry): Places {
  return {
    payload: bodySpans(event).flatMap((span) => occurrencesIn(span, roleOf(span, event.provider), registry)),
    headers: headerSpans(event).map((span) =>
      span ? occurrencesIn(span, roleOfHeader(span, event, roleOf), registry) : [],
    ),
    path: occurrencesInText({ text: event.path, start: 0 }, registry),
    query: occurrencesInText({ text: event.query ?? '', start: 0 }, registry),
  };
}

function renewRequest({ path, query, headers, payload }: WebhookEvent, places: Places, texts: Texts) {
  return {
    path: replace(path, places.path, texts),
    query: query === null ? null : replace(query, places.query, texts),
    headers: headers.map(([name, value], index) => [name, replace(value, places.headers[index] ?? [], texts)] as const),
    payload: replaceBytes(payload, places.payload, texts),
  };
}

function renewFacts(facts: EventFacts, renewFact: (fact: string) => string): Partial<EventFacts> {
  const names = (['eventId', 'deliveryId', 'resource'] as const).filter((name) => facts[name] !== undefined);
  return Object.fromEntries(names.map((name) => [name, renewFact(facts[name] ?? '')]));
}

function replaceBytes(payload: Uint8Array, occurrences: readonly Occurrence[], texts: Texts): Uint8Array {
  if (occurrences.length === 0) return payload;
  const text = Buffer.from(payload.buffer, payload.byteOffset, payload.byteLength).toString('latin1');
  return new Uint8Array(Buffer.from(replace(text, occurrences, texts), 'latin1'));
}

/** @param occurrences in the order of the text */
function replace(text: string, occurrences: readonly Occurrence[], texts: Texts): string {
  let written = '';
  let copied = 0;
  for (const { from, to, unit } of occurrences) {
    written += text.slice(copied, from) + (texts[unit.index] ?? '');
    copied = to;
  }
  return copied === 0 ? text : written + text.slice(copied);
}
