import type { Headers } from '../model/event.ts';
import type { InvalidCause } from '../model/sign.ts';
import type { SignatureScheme } from '../providers/provider.ts';
import { escapeRegExp } from '../support/escape-reg-exp.ts';
import { headerValue } from '../support/headers.ts';
import { parseTemplate, type TemplatePart, uses } from './template.ts';

/** What a signed request carries. */
export type Carried = {
  readonly kind: 'carried';
  readonly timestamp: string;
  readonly id: string;
  /** In their encoding, as they stand there. At least one. */
  readonly signatures: readonly string[];
};

export type NotCarried = { readonly kind: 'not-carried'; readonly cause: InvalidCause; readonly reason: string };

/** Takes signatures, timestamp and id out of a request; the parts of a list may stand in any order, unknown ones are passed over. */
export function readSignature(scheme: SignatureScheme, headers: Headers): Carried | NotCarried {
  const given = [scheme.header, ...(scheme.headerAliases ?? [])].map((name) => headerValue(headers, name));
  const value = given.find((one) => one !== undefined);
  if (value === undefined) return missing(scheme.header);
  const found = readValue(scheme, value);
  const timestamp = scheme.timestamp?.header ? headerValue(headers, scheme.timestamp.header) : found.timestamp;
  const id = scheme.idHeader ? headerValue(headers, scheme.idHeader) : found.id;
  if (scheme.timestamp && timestamp === undefined) {
    return scheme.timestamp.header ? missing(scheme.timestamp.header) : unreadable(scheme, 'no timestamp');
  }
  if (scheme.idHeader && id === undefined) return missing(scheme.idHeader);
  if (found.signatures.length === 0) return unreadable(scheme, `no "${scheme.each.replace('{signature}', '...')}"`);
  return { kind: 'carried', timestamp: timestamp ?? '', id: id ?? '', signatures: found.signatures };
}

type Found = { timestamp: string | undefined; id: string | undefined; signatures: string[] };

function readValue({ value, each, join }: SignatureScheme, text: string): Found {
  const pieces = join === null ? [value] : value.split(join);
  const patterns = pieces.map((piece) => patternOf(piece, each));
  if (join !== null) patterns.push(patternOf('{signatures}', each));
  const found: Found = { timestamp: undefined, id: undefined, signatures: [] };
  for (const piece of join === null ? [text.trim()] : text.split(join).map((one) => one.trim())) {
    const groups = patterns.map((pattern) => pattern.exec(piece)?.groups).find((match) => match !== undefined);
    found.timestamp ??= groups?.['timestamp'];
    found.id ??= groups?.['id'];
    if (groups?.['signature'] !== undefined) found.signatures.push(groups['signature']);
  }
  return found;
}

function patternOf(piece: string, each: string): RegExp {
  const parts = parseTemplate(piece.replace('{signatures}', () => each));
  return new RegExp(`^${parts.map(partPattern).join('')}$`);
}

/** Of what is neither timestamp, id nor signature, any value will do: it is checked as part of what is signed, or not at all. */
function partPattern(part: TemplatePart): string {
  if (part.kind === 'literal') return escapeRegExp(part.text);
  if (part.name === 'signature') return '(?<signature>.+)';
  if (part.name === 'timestamp') return '(?<timestamp>[^\\s]+?)';
  return part.name === 'id' ? '(?<id>[^\\s]+?)' : '.*?';
}

/** Names of the headers that `{header:Name}` in the content needs. */
export function coveredHeaders(scheme: SignatureScheme): readonly string[] {
  const content = parseTemplate(scheme.content);
  if (!uses(content, 'header')) return [];
  return content.flatMap((part) => (part.kind === 'placeholder' && part.name === 'header' ? [part.argument] : []));
}

function missing(header: string): NotCarried {
  return { kind: 'not-carried', cause: 'missing-header', reason: `The header "${header}" is missing.` };
}

function unreadable({ header }: SignatureScheme, lacks: string): NotCarried {
  return { kind: 'not-carried', cause: 'malformed-header', reason: `The header "${header}" carries ${lacks}.` };
}
