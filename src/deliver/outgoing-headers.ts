import type { Header, Headers } from '../model/event.ts';
import { UserError } from '../support/errors.ts';
import { HOP_BY_HOP, isToken, namedByConnection } from '../support/headers.ts';
import { isCredentialHeader } from '../support/redact.ts';
import type { HeaderChange } from './header-option.ts';

export type HeaderChoices = {
  /** From `-H`, in the order given. */
  readonly changes: readonly HeaderChange[];
  /** `--preserve-host`: send the captured Host instead of the receiver's. */
  readonly preserveHost: boolean;
  /** False when the request leaves this machine: captured credentials stay behind. */
  readonly loopback: boolean;
  /** Names of captured credential headers that may leave this machine. */
  readonly allowedCredentials: readonly string[];
};

export type OutgoingHeaders = {
  /** In the captured order, case and repetition. */
  readonly headers: Headers;
  /** Names of captured credential headers that were left out; worth a warning. */
  readonly withheld: readonly string[];
};

/**
 * The captured headers as they go out again: without what belongs to the captured connection (RFC 9110 section 7.6.1)
 * and what the sender writes itself, with the user's changes in place.
 */
export function outgoingHeaders(captured: Headers, choices: HeaderChoices): OutgoingHeaders {
  const named = namedByConnection(captured);
  const ofConnection = named.length === 0 ? NEVER_REPLAYED : new Set([...NEVER_REPLAYED, ...named]);
  const host = choices.preserveHost ? capturedHost(captured) : [];
  const kept = captured.filter(([name]) => !ofConnection.has(name.toLowerCase()) && !name.startsWith(':'));
  const withheld = choices.loopback ? [] : withheldOf(kept, choices.allowedCredentials);
  const passed = withheld.length === 0 ? kept : kept.filter(([name]) => !withheld.includes(name));
  const headers = applyChanges([...host, ...passed], choices.changes);
  for (const header of headers) refuseUnsendable(header);
  return { headers, withheld };
}

const NEVER_REPLAYED: ReadonlySet<string> = new Set([
  ...HOP_BY_HOP,
  'content-length',
  'expect',
  'host',
  'http2-settings',
]);

function withheldOf(headers: Headers, allowedNames: readonly string[]): readonly string[] {
  const allowed = new Set(allowedNames.map((name) => name.toLowerCase()));
  const names = headers.map(([name]) => name).filter((name) => isCredentialHeader(name));
  return [...new Set(names.filter((name) => !allowed.has(name.toLowerCase())))];
}

/** HTTP/2 has `:authority` in its place. */
function capturedHost(headers: Headers): Headers {
  const found = ['host', ':authority'].flatMap((wanted) => headers.filter(([name]) => name.toLowerCase() === wanted));
  return found.slice(0, 1).map(([name, value]) => [name.startsWith(':') ? 'Host' : name, value]);
}

/** The first header of a changed name gives the place, the others of that name go; a new name goes to the end. */
function applyChanges(headers: Headers, changes: readonly HeaderChange[]): Headers {
  if (changes.length === 0) return headers;
  const byName = new Map<string, HeaderChange[]>();
  for (const change of changes) {
    const name = change.name.toLowerCase();
    byName.set(name, [...(byName.get(name) ?? []), change]);
  }
  const placed = new Set<string>();
  const changed = headers.flatMap<Header>((header) => {
    const name = header[0].toLowerCase();
    const own = byName.get(name);
    if (!own) return [header];
    if (placed.has(name)) return [];
    placed.add(name);
    return linesOf(own);
  });
  const added = [...byName].filter(([name]) => !placed.has(name)).flatMap(([, own]) => linesOf(own));
  return [...changed, ...added];
}

function linesOf(changes: readonly HeaderChange[]): Header[] {
  return changes.flatMap<Header>((change) => (change.kind === 'set' ? [[change.name, change.value]] : []));
}

/** Captured headers came through a parser that refuses these; imported ones did not. */
function refuseUnsendable([name, value]: Header): void {
  if (isToken(name) && !/[^\t\x20-\x7e\x80-\xff]/.test(value)) return;
  throw new UserError('HEADER_UNSENDABLE', `The header ${JSON.stringify(name)} cannot be sent over HTTP.`, {
    hint: 'Its name or value has a line break, a control character or text beyond latin1. Replace it with -H, or remove it from the event.',
  });
}
