import { createHmac, type KeyObject } from 'node:crypto';
import type { Headers } from '../model/event.ts';
import type { SignatureScheme } from '../providers/provider.ts';
import { UserError } from '../support/errors.ts';
import { headerValue } from '../support/headers.ts';
import { renderTemplate, type Template } from './template.ts';

/** What a template may be filled from. Texts are latin1: one character is one byte. */
export type Covered = {
  readonly method: string;
  /** A `URL`, or what a request line and a Host header say, as they are written. */
  readonly url: { readonly href: string; readonly pathname: string; readonly search: string };
  readonly headers: Headers;
  readonly payload: Uint8Array;
  readonly timestamp: string;
  readonly id: string;
};

/** The HMAC over a content template, with the payload's bytes as they are. */
export function hmacOf(
  { algorithm, encoding }: Pick<SignatureScheme, 'algorithm' | 'encoding'>,
  key: Buffer | KeyObject,
  { content, covered }: { readonly content: Template; readonly covered: Covered },
): string {
  const hmac = createHmac(algorithm, key);
  for (const part of content) {
    if (part.kind === 'literal') hmac.update(part.text, 'latin1');
    else if (part.name === 'body') hmac.update(covered.payload);
    else hmac.update(coveredText(part.name, part.argument, covered), 'latin1');
  }
  return hmac.digest(encoding);
}

/** The header's value around the signatures of one or several keys. */
export function headerAround(signatures: string, template: Template, covered: Covered): string {
  return renderTemplate(template, (name, argument) =>
    name === 'signatures' ? signatures : coveredText(name, argument, covered),
  );
}

function coveredText(name: string, argument: string, covered: Covered): string {
  switch (name) {
    case 'timestamp':
      return covered.timestamp;
    case 'id':
      return covered.id;
    case 'method':
      return covered.method;
    case 'url':
      return covered.url.href;
    case 'path':
      return covered.url.pathname;
    case 'query':
      return covered.url.search.slice(1);
    case 'header':
      return coveredHeader(argument, covered.headers);
    default:
      throw new Error(`"{${name}}" is no placeholder of a signature scheme`);
  }
}

function coveredHeader(name: string, headers: Headers): string {
  const value = headerValue(headers, name);
  if (value !== undefined) return value;
  throw new UserError(
    'HEADER_NOT_THERE',
    `The signature covers the header "${name}", which the request does not have.`,
    {
      hint: `Give it with -H '${name}: ...'.`,
    },
  );
}
