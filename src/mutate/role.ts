import { PROVIDERS } from '../providers/list.ts';
import { partsOf } from '../providers/locate.ts';
import type { Location, Locations } from '../providers/provider.ts';
import type { BodySpan } from './body-spans.ts';
import { isAddress, isBigNumberId, isNothing, isWords, LONGEST_ID, looksLikeId } from './id-forms.ts';
import { type KeyClass, type KeyFacts, keyFacts } from './key-class.ts';

/**
 * What a place is to a fresh identity.
 * `id`: renewed. `forced`: renewed, whatever it looks like. `kept`: the user wants it as it is.
 * `never`: an amount, a state, a time; not even ids inside are touched. `plain`: only ids known from elsewhere are rewritten.
 * `word`: would be an id by its name, but is a mere word.
 */
export type Role = 'id' | 'forced' | 'kept' | 'never' | 'plain' | 'word';

/** Pointers that correct the guess; a pointer means the place itself and all below it. */
export type Corrections = { readonly fresh: readonly string[]; readonly keep: readonly string[] };

export type Roles = {
  readonly of: RoleOf;
  /** False: no place is `kept`. */
  readonly keeps: boolean;
};

export type RoleOf = (span: BodySpan, provider: string) => Role;

/** What providers' facts and the user say about a place comes before what its name and its value say. */
export function createRoles({ fresh, keep }: Corrections): Roles {
  const keys = new Map<string, KeyFacts>();
  const factsOf = (key: string) => {
    const known = keys.get(key) ?? keyFacts(key);
    if (keys.size < MOST_KEYS) keys.set(key, known);
    return known;
  };
  const located = new Map<string, LocatedPlaces>();
  const placesOf = (provider: string) => {
    const known = located.get(provider) ?? locatedPlaces(provider);
    located.set(provider, known);
    return known;
  };
  const corrected = ({ pointer, kind, view }: BodySpan): Role | undefined => {
    if (kind === 'key' || kind === 'text') return 'plain';
    if (kind === 'number' && !/^[1-9]\d*$/.test(view.text)) return 'never';
    if (keep.some((wanted) => isAtOrBelow(pointer, wanted))) return 'kept';
    return fresh.some((wanted) => isAtOrBelow(pointer, wanted)) ? 'forced' : undefined;
  };
  const byFacts = (span: BodySpan, provider: string): Role => {
    const places = placesOf(provider);
    const name = span.pointer.toLowerCase();
    if (places.never.has(name)) return 'never';
    if (places.ids.has(name)) return 'forced';
    if (span.kind === 'number') return roleOfNumber(span.view.text, factsOf(span.key).class);
    return factsOf(span.parent).isSignature ? 'never' : roleOfText(span, factsOf(span.key));
  };
  return { of: (span, provider) => corrected(span) ?? byFacts(span, provider), keeps: keep.length > 0 };
}

/** A pointer as a user writes it, in the form in which spans have it: bytes as latin1, headers in lower case. */
export function asSpanPointer(pointer: string): string {
  return pointer.startsWith('header:') ? pointer.toLowerCase() : Buffer.from(pointer, 'utf8').toString('latin1');
}

export function isAtOrBelow(pointer: string, wanted: string): boolean {
  return pointer === wanted || pointer.startsWith(`${wanted}/`);
}

/** Field names are few, except where ids are used as names. */
const MOST_KEYS = 10_000;

function roleOfText(span: BodySpan, facts: KeyFacts): Role {
  const { text } = span.view;
  if (facts.isSignature || text === '') return 'never';
  if (isAddress(text)) return 'id';
  if (facts.class === 'id') return roleOfNamedId(text);
  if (facts.class === 'text') return 'plain';
  if (looksLikeId(text) && !/^\d+$/.test(text)) return 'id';
  if (facts.class === 'never') return 'never';
  return isIdByNameAndForm(span, facts) ? 'id' : 'plain';
}

function isIdByNameAndForm({ key, parent, view: { text } }: BodySpan, facts: KeyFacts): boolean {
  if (facts.class === 'thing') return isReference(text, facts);
  if (facts.class === 'reference') return isReference(text, facts) && !GIT_PARENTS.has(parent);
  return looksLikeId(text) || isAbbreviated(key, text);
}

function roleOfNumber(text: string, keyClass: KeyClass): Role {
  if (keyClass === 'id' || keyClass === 'reference') return 'id';
  if (keyClass === 'never') return 'never';
  if (keyClass === 'thing') return text.length >= 5 ? 'id' : 'plain';
  return keyClass === 'open' && isBigNumberId(text) ? 'id' : 'plain';
}

function roleOfNamedId(text: string): Role {
  if (text.length > LONGEST_ID || isNothing(text) || /[\s<>"]/.test(text)) return 'plain';
  if (/^(?!gid:|urn:)[a-z][a-z\d+.-]*:\/\/|^\/|^\d{4}-\d\d-\d\d|^-?\d+\.\d+$/i.test(text)) return 'plain';
  return isWords(text) ? 'word' : 'id';
}

/** Their `ref` is a branch. */
const GIT_PARENTS = new Set(['head', 'base']);

/** An order number, but no branch name, no `usd`, no access token that is a word. */
function isReference(text: string, { isToken }: KeyFacts): boolean {
  if (text.length > 64 || !/\d/.test(text) || /[\s/<>"+]|^v\d|^\d+\.\d+/.test(text)) return false;
  return !isToken || (text.length >= 8 && /[A-Za-z]/.test(text));
}

/** `"customer":"cus_1"`, `"paymentIntent":"pi_7"`: a short id whose prefix shortens the name of its field. */
function isAbbreviated(key: string, text: string): boolean {
  const prefix = /^([a-z]{2,5})_[A-Za-z0-9]*\d[A-Za-z0-9]*$/.exec(text)?.[1];
  if (!prefix || prefix.length >= key.length || prefix[0] !== key[0]?.toLowerCase()) return false;
  let found = 0;
  for (const letter of key.toLowerCase()) if (letter === prefix[found]) found++;
  return found === prefix.length;
}

type LocatedPlaces = {
  /** Where the event's own ids stand. */
  readonly ids: ReadonlySet<string>;
  readonly never: ReadonlySet<string>;
};

function locatedPlaces(id: string): LocatedPlaces {
  const locate = PROVIDERS.find((provider) => provider.id === id)?.locate;
  if (!locate) return { ids: new Set(), never: new Set() };
  const parts = locate.resource.filter((location) => partsOf(location).length > 1).flatMap(partsOf);
  const resource = locate.resource.filter((location) => parts.every(({ place }) => place !== location));
  return {
    ids: pointersOf([...locate.eventId, ...locate.deliveryId, ...resource.filter(isSingle)]),
    never: pointersOf([...locate.type, ...locate.occurredAt]),
  };
}

/** A place that is only a part of a resource's name, as a repository's is of an issue's, may be no id by itself. */
function isSingle(location: Location): boolean {
  return partsOf(location).length === 1;
}

/** In lower case, as headers are found in any. */
function pointersOf(locations: Locations): ReadonlySet<string> {
  const places = locations.flatMap(partsOf).map(({ place }) => place);
  return new Set(places.map((place) => place.replace(/^body:/, '').toLowerCase()));
}
