import type { EventFacts, RawRequest } from '../model/event.ts';
import { headerValue } from '../support/headers.ts';
import { recognise } from './detect.ts';
import { findProvider } from './list.ts';
import { type PayloadView, viewPayload } from './payload-view.ts';
import type { Location, Locations, Provider } from './provider.ts';
import { isoOf } from './time.ts';

/**
 * What the provider's facts read out of a request; what is not there is left out. Any bytes will do.
 * @param providerId detected from the request when absent; an unknown one is a `UserError`
 */
export function factsOf(request: Pick<RawRequest, 'headers' | 'payload'>, providerId?: string): EventFacts {
  const view = viewPayload(request);
  const provider = providerId === undefined ? recognise(request, view) : findProvider(providerId);
  const source = { headers: request.headers, view };
  const { type, eventId, deliveryId, occurredAt, resource } = provider.locate;
  const time = locate(occurredAt, source);
  return withoutMissing({
    provider: provider.id,
    type: locate(type, source, '.'),
    eventId: locate(eventId, source),
    deliveryId: locate(deliveryId, source),
    occurredAt: time === undefined ? undefined : isoOf(time),
    resource: locate(resource, source),
  });
}

/** The type of a bare body, as far as the body alone tells it. */
export function typeInBody(provider: Provider, payload: Uint8Array): string | undefined {
  return locate(provider.locate.type, { headers: [], view: viewPayload({ headers: [], payload }) }, '.');
}

/** The event id that a bare body holds. */
export function eventIdInBody(provider: Provider, payload: Uint8Array): string | undefined {
  return locate(provider.locate.eventId, { headers: [], view: viewPayload({ headers: [], payload }) });
}

/** The single places a location names, for who wants to write there: `header:...`, `body:...`, `header-part:...`, `text:...`. */
export function partsOf(location: Location): ReadonlyArray<{ readonly place: string; readonly optional: boolean }> {
  return location.split(' + ').map((part) => ({ place: part.replace(/\?$/, ''), optional: part.endsWith('?') }));
}

type Source = { readonly headers: RawRequest['headers']; readonly view: PayloadView };

function locate(locations: Locations, source: Source, join = '/'): string | undefined {
  for (const location of locations) {
    const found = read(location, source, join);
    if (found !== undefined) return found;
  }
  return undefined;
}

function read(location: Location, source: Source, join: string): string | undefined {
  const found: string[] = [];
  for (const { place, optional } of partsOf(location)) {
    const text = readPlace(place, source);
    if (text === undefined && !optional) return undefined;
    if (text !== undefined) found.push(text);
  }
  return found.join(join);
}

function readPlace(place: string, { headers, view }: Source): string | undefined {
  const [kind, rest] = splitOnce(place, ':');
  switch (kind) {
    case 'header':
      return headerValue(headers, rest)?.trim() || undefined;
    case 'header-part':
      return headerPart(headers, rest);
    case 'body':
      return view.text(rest);
    case 'text':
      return rest;
    default:
      throw new Error(`"${place}" is no location of a fact`);
  }
}

/** @param rest `Stripe-Signature:t` */
function headerPart(headers: RawRequest['headers'], rest: string): string | undefined {
  const [name, key] = splitOnce(rest, ':');
  for (const part of headerValue(headers, name)?.split(',') ?? []) {
    const [left, right] = splitOnce(part, '=');
    if (left.trim() === key) return right.trim() || undefined;
  }
  return undefined;
}

function splitOnce(text: string, separator: string): readonly [string, string] {
  const at = text.indexOf(separator);
  return at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at + separator.length)];
}

function withoutMissing(facts: EventFacts): EventFacts {
  return Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== undefined)) as EventFacts;
}
