import { timingSafeEqual } from 'node:crypto';
import type { RawRequest } from '../model/event.ts';
import type { Secret, Verification } from '../model/sign.ts';
import type { SignatureScheme } from '../providers/provider.ts';
import { hasHeader, headerValue } from '../support/headers.ts';
import { type Covered, hmacOf } from './content.ts';
import { explainMismatch } from './explain-mismatch.ts';
import { keyOf } from './key.ts';
import { type Carried, coveredHeaders, readSignature } from './read-signature.ts';
import { parseTemplate, uses } from './template.ts';

export type VerifyInput = {
  readonly request: RawRequest;
  readonly scheme: SignatureScheme;
  /** One of them must have signed. */
  readonly secrets: readonly Secret[];
  readonly nowMs: number;
  /** For schemes that cover the URL. Without it, the Host header's with https and with http. */
  readonly url?: URL | undefined;
};

/**
 * Is this request signed as the scheme says, by one of these secrets, in time; if not, why not.
 * A secret that does not fit the scheme is a `UserError`.
 */
export function verifySignature(input: VerifyInput): Verification {
  const { request, scheme, secrets, nowMs } = input;
  if (secrets.length === 0) return { kind: 'cannot-tell', reason: 'There is no secret to check it with.' };
  const keys = secrets.map((secret) => ({ secret, key: keyOf(scheme.key, secret) }));
  const carried = readSignature(scheme, request.headers);
  if (carried.kind === 'not-carried') return { kind: 'invalid', cause: carried.cause, reason: carried.reason };
  const absent = coveredHeaders(scheme).find((name) => !hasHeader(request.headers, name));
  if (absent) return { kind: 'invalid', cause: 'missing-header', reason: `The header "${absent}" is missing.` };
  const candidates = coveredBy(input, carried);
  if (candidates.length === 0) {
    return { kind: 'cannot-tell', reason: 'The signature covers the URL, and the request has no Host header.' };
  }
  const content = parseTemplate(scheme.content);
  for (const { secret, key } of keys) {
    for (const covered of candidates) {
      if (isAmong(hmacOf(scheme, key, { content, covered }), carried.signatures)) {
        return inTime(carried.timestamp, { scheme, nowMs, secret });
      }
    }
  }
  return { kind: 'invalid', ...explainMismatch({ scheme, secrets, carried, covered: candidates }) };
}

/** Compares without telling by its time how much of it was right. */
function isAmong(expected: string, signatures: readonly string[]): boolean {
  const wanted = Buffer.from(expected, 'latin1');
  const equal = signatures.map((signature) => {
    const given = Buffer.from(signature, 'latin1');
    return given.length === wanted.length && timingSafeEqual(given, wanted);
  });
  return equal.includes(true);
}

function coveredBy({ request, scheme, url }: VerifyInput, { timestamp, id }: Carried): readonly Covered[] {
  return urlsOf(request, { scheme, url }).map((one) => ({
    method: request.method,
    url: one,
    headers: request.headers,
    payload: request.payload,
    timestamp,
    id,
  }));
}

function urlsOf(request: RawRequest, { scheme, url }: Pick<VerifyInput, 'scheme' | 'url'>): readonly Covered['url'][] {
  if (url) return [url];
  const { path, query } = request;
  const search = query === null ? '' : `?${query}`;
  const host = headerValue(request.headers, 'host');
  if (host === undefined && coversOrigin(scheme)) return [];
  const protocols = coversOrigin(scheme) ? ['https', 'http'] : ['http'];
  return protocols.map((protocol) => ({ href: `${protocol}://${host}${path}${search}`, pathname: path, search }));
}

function coversOrigin({ content }: SignatureScheme): boolean {
  return uses(parseTemplate(content), 'url');
}

type Timing = { readonly scheme: SignatureScheme; readonly nowMs: number; readonly secret: Secret };

function inTime(timestamp: string, { scheme, nowMs, secret }: Timing): Verification {
  if (!scheme.timestamp) return { kind: 'valid', secret: secret.name };
  const { unit, toleranceSeconds, futureToleranceSeconds = toleranceSeconds } = scheme.timestamp;
  if (!/^\d+$/.test(timestamp)) {
    return {
      kind: 'invalid',
      cause: 'malformed-header',
      reason: `The timestamp "${timestamp}" is not a whole number.`,
    };
  }
  const seconds = unit === 'ms' ? Number(timestamp) / 1000 : Number(timestamp);
  const ageSeconds = Math.floor(nowMs / 1000 - seconds);
  if (ageSeconds > toleranceSeconds) return { kind: 'stale', ageSeconds, toleranceSeconds, secret: secret.name };
  if (futureToleranceSeconds !== null && -ageSeconds > futureToleranceSeconds) {
    return { kind: 'stale', ageSeconds, toleranceSeconds: futureToleranceSeconds, secret: secret.name };
  }
  return { kind: 'valid', secret: secret.name };
}
