import type { WebhookEvent } from '../model/event.ts';
import { isCredentialHeader } from '../support/redact.ts';
import { type BodySpan, bodyLimit, bodySpans } from './body-spans.ts';
import { LONGEST_ID, looksLikeId } from './id-forms.ts';
import { keyFacts } from './key-class.ts';
import { createRegistry, type Registry, type RegistryBuilder } from './registry.ts';
import type { Role, RoleOf, Roles } from './role.ts';

/** A place that holds an id, or might. */
export type Candidate = {
  /** A JSON pointer, or `header:Name`. */
  readonly pointer: string;
  readonly key: string;
  readonly value: string;
  readonly renewed: boolean;
};

export type Collected = {
  readonly registry: Registry;
  readonly candidates: readonly Candidate[];
  /** What cannot be renewed, a sentence each. */
  readonly limits: readonly string[];
};

/** Candidates are for people; nobody reads more. */
const MOST_CANDIDATES = 1000;

/** Reads all ids of a family. What is kept comes first, since one and the same id may stand in several places. */
export function collectIds(events: readonly WebhookEvent[], roles: Roles): Collected {
  const registry = createRegistry();
  const candidates = new Map<string, Candidate>();
  if (roles.keeps) {
    for (const { span, role } of placesOf(events, roles.of)) if (role === 'kept') registry.keep(span.view.text);
  }
  for (const id of events.flatMap(ownIds)) registry.add(id, true);
  for (const { span, role } of placesOf(events, roles.of)) {
    addToRegistry(span, role, registry);
    const candidate = candidateOf(span, role);
    if (candidate && candidates.size < MOST_CANDIDATES)
      candidates.set(`${candidate.pointer} ${candidate.value}`, candidate);
  }
  return { registry, candidates: [...candidates.values()], limits: events.flatMap(limitOf) };
}

function ownIds({ eventId, deliveryId }: WebhookEvent): readonly string[] {
  return [eventId, deliveryId].filter((id) => id !== undefined);
}

type Place = { readonly span: BodySpan; readonly role: Role };

function* placesOf(events: readonly WebhookEvent[], roleOf: RoleOf): Generator<Place> {
  for (const event of events) {
    for (const span of headerSpans(event)) if (span) yield { span, role: roleOfHeader(span, event, roleOf) };
    for (const span of bodySpans(event)) yield { span, role: roleOf(span, event.provider) };
  }
}

function candidateOf({ pointer, key, view }: BodySpan, role: Role): Candidate | undefined {
  if (role !== 'id' && role !== 'forced' && role !== 'word') return undefined;
  return { pointer, key, value: view.text, renewed: role !== 'word' };
}

function limitOf(event: WebhookEvent): readonly string[] {
  const limit = bodyLimit(event);
  return limit ? [`The ids in the body of "${event.eventId ?? event.id}" stay as they are: ${limit}.`] : [];
}

/** One for each header, `undefined` for one that is left alone: credentials, signatures, what belongs to the connection. */
export function headerSpans({ headers }: Pick<WebhookEvent, 'headers'>): ReadonlyArray<BodySpan | undefined> {
  return headers.map(([name, value]) => {
    if (isCredentialHeader(name) || keyFacts(name).isSignature || CONNECTION.test(name)) return undefined;
    return {
      pointer: `header:${name.toLowerCase()}`,
      key: name,
      parent: '',
      kind: 'string',
      view: { text: value, start: 0 },
    };
  });
}

const CONNECTION =
  /^(?:host|connection|content-.*|accept.*|user-agent|date|transfer-encoding|.*(?:secret|api-key|auth).*)$/i;

/** `Idempotency-Key` is the one reference among headers; other keys and tokens open doors. */
export function roleOfHeader(span: BodySpan, event: WebhookEvent, roleOf: RoleOf): Role {
  const role = roleOf(span, event.provider);
  if (role !== 'id' || keyFacts(span.key).class !== 'reference') return role;
  return /idempotency/i.test(span.key) ? 'id' : 'plain';
}

function addToRegistry({ kind, view: { text } }: BodySpan, role: Role, registry: RegistryBuilder): void {
  if (role === 'id' || role === 'forced') registry.add(text, role === 'forced');
  if (kind === 'text') {
    for (const [word] of text.matchAll(WORD))
      if (word.length <= LONGEST_ID && looksLikeId(word)) registry.add(word, false);
  }
  // A new number must not equal another number that happens to stand there.
  if (/^\d{9,}$/.test(text)) registry.take(text);
}

const WORD = /[^\s<>"'=&;,(){}[\]]+/g;
