import type { SignatureScheme } from '../providers/provider.ts';
import { UserError } from '../support/errors.ts';
import { isToken } from '../support/headers.ts';
import { nearest } from '../support/nearest.ts';
import { parseTemplate, uses } from './template.ts';

const COVERED = ['timestamp', 'id', 'method', 'url', 'path', 'query', 'header', 'body'];
const FIELDS = ['algorithm', 'key', 'content', 'encoding', 'header', 'value', 'each', 'join', 'timestamp', 'idHeader'];
const TIMESTAMP_FIELDS = ['unit', 'header', 'toleranceSeconds'];
const ALGORITHMS = ['sha1', 'sha256', 'sha384', 'sha512'] as const;
const KEYS = ['utf8', 'base64', 'hex', 'base64-after-prefix'] as const;
const ENCODINGS = ['hex', 'base64', 'base64url'] as const;

type Fields = Readonly<Record<string, unknown>>;

/**
 * A user's own HMAC scheme. Only `header` is required: the rest defaults to the hex HMAC-SHA256 of the body with the
 * secret as text. `value` may hold `{signature}` directly when there is one signature.
 * @param json the parsed JSON of a scheme; what is wrong with it is a `UserError`
 */
export function templateScheme(json: unknown): SignatureScheme {
  if (!isFields(json)) throw bad('A signature scheme is a JSON object.', 'For example: {"header":"x-signature"}.');
  refuseUnknown(json, FIELDS);
  const value = textOf(json, 'value') ?? '{signatures}';
  const direct = json['each'] === undefined && uses(parseTemplate(value), 'signature');
  const scheme: SignatureScheme = {
    algorithm: oneOf(json, 'algorithm', ALGORITHMS) ?? 'sha256',
    key: oneOf(json, 'key', KEYS) ?? 'utf8',
    content: textOf(json, 'content') ?? '{body}',
    encoding: oneOf(json, 'encoding', ENCODINGS) ?? 'hex',
    header: headerOf(json, 'header') ?? missingHeader(),
    value: direct ? '{signatures}' : value,
    each: direct ? value : (textOf(json, 'each') ?? '{signature}'),
    join: json['join'] === null ? null : (textOf(json, 'join') ?? null),
    timestamp: timestampOf(json['timestamp']),
    idHeader: headerOf(json, 'idHeader'),
  };
  checkTemplates(scheme);
  return scheme;
}

function checkTemplates(scheme: SignatureScheme): void {
  checkTemplate('content', scheme.content, COVERED);
  checkTemplate('value', scheme.value, [...COVERED.filter((name) => name !== 'body'), 'signatures']);
  checkTemplate('each', scheme.each, ['signature']);
  mustHold('value', scheme.value, 'signatures');
  mustHold('each', scheme.each, 'signature');
  for (const template of [scheme.content, scheme.value].map(parseTemplate)) {
    if (uses(template, 'timestamp') && !scheme.timestamp) {
      throw bad('The scheme uses {timestamp} without saying its unit.', 'Add "timestamp": {"unit":"s"}.');
    }
    if (uses(template, 'id') && scheme.idHeader === undefined) {
      throw bad('The scheme uses {id} without saying where it stands.', 'Add "idHeader": "webhook-id" or the like.');
    }
  }
}

function checkTemplate(field: string, text: string, allowed: readonly string[]): void {
  for (const part of parseTemplate(text)) {
    if (part.kind === 'literal') continue;
    if (!allowed.includes(part.name)) {
      const names = allowed.map((name) => (name === 'header' ? '{header:Name}' : `{${name}}`));
      throw bad(`"{${part.name}}" in "${field}" is no placeholder.`, `Use one of: ${names.join(' ')}.`);
    }
    if ((part.name === 'header') !== (part.argument !== '')) {
      throw bad(
        `"{${part.name}}" in "${field}" is not written right.`,
        'Write {header:Name}, all others without a colon.',
      );
    }
  }
}

function mustHold(field: string, text: string, name: string): void {
  if (uses(parseTemplate(text), name)) return;
  throw bad(`"${field}" of the scheme holds no signature.`, `Put {${name}} into it.`);
}

function timestampOf(json: unknown): SignatureScheme['timestamp'] {
  if (json === undefined) return undefined;
  if (!isFields(json)) throw bad('"timestamp" of the scheme is not an object.', 'For example: {"unit":"s"}.');
  refuseUnknown(json, TIMESTAMP_FIELDS);
  const tolerance = json['toleranceSeconds'] ?? 300;
  if (typeof tolerance !== 'number' || !(tolerance > 0)) {
    throw bad('"toleranceSeconds" of the scheme is not a number above 0.', 'The usual one is 300.');
  }
  const header = headerOf(json, 'header');
  return {
    unit: oneOf(json, 'unit', ['s', 'ms'] as const) ?? 's',
    toleranceSeconds: tolerance,
    ...(header === undefined ? {} : { header }),
  };
}

function refuseUnknown(json: Fields, known: readonly string[]): void {
  for (const field of Object.keys(json)) {
    if (known.includes(field)) continue;
    const near = nearest(field, known);
    const hint = near ? `Did you mean "${near}"?` : `It has: ${known.join(', ')}.`;
    throw bad(`A signature scheme has no field "${field}".`, hint);
  }
}

function textOf(json: Fields, field: string): string | undefined {
  const value = json[field];
  if (value === undefined || typeof value === 'string') return value;
  throw bad(`"${field}" of the scheme is not text.`, 'Write it in quotes.');
}

function headerOf(json: Fields, field: string): string | undefined {
  const name = textOf(json, field);
  if (name === undefined || isToken(name)) return name;
  throw bad(`"${name}" is no name of a header.`, 'A name has letters, digits and hyphens, without a colon.');
}

function oneOf<T extends string>(json: Fields, field: string, choices: readonly T[]): T | undefined {
  const value = textOf(json, field);
  if (value === undefined) return undefined;
  const found = choices.find((choice) => choice === value);
  if (found) return found;
  throw bad(`"${value}" is no ${field} of a signature scheme.`, `Choose one of: ${choices.join(', ')}.`);
}

function isFields(json: unknown): json is Fields {
  return typeof json === 'object' && json !== null && !Array.isArray(json);
}

function missingHeader(): never {
  throw bad('The scheme does not say which header carries the signature.', 'Add "header": "x-signature" or the like.');
}

function bad(message: string, hint: string): UserError {
  return new UserError('BAD_SCHEME', message, { hint });
}
