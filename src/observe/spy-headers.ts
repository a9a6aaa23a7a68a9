import { HOP_BY_HOP } from '../support/headers.ts';
import { isCredentialHeader } from '../support/redact.ts';

/** Headers that are cells of their own, or say nothing about what the call means: they belong to a connection, a client or one request. */
const LEFT_OUT = new Set([
  ...HOP_BY_HOP,
  ...['host', 'content-length', 'content-type', 'authorization', 'idempotency-key', 'expect', 'date', 'user-agent'],
  ...['accept', 'accept-encoding', 'accept-language', 'cache-control', 'pragma', 'origin', 'referer', 'priority'],
  ...['traceparent', 'tracestate', 'baggage', 'sentry-trace', 'b3', 'x-request-id', 'x-correlation-id'],
  ...['x-amzn-trace-id', 'x-cloud-trace-context', 'x-stripe-client-telemetry', 'x-stripe-client-user-agent'],
]);
const LEFT_OUT_GROUPS = /^(?:x-b3-|x-datadog-|x-forwarded-|sec-)/;
const CREDENTIAL_NAME = /auth|credential|key|passw|secret|session|signature|token/;

/**
 * What tells one call from another, as JSON in the order of the names; `null` when there is nothing.
 * Of a credential it says only that it is there.
 */
export function tellingHeaders(headers: NodeJS.Dict<string | string[]>): string | null {
  const telling = Object.entries(headers)
    .filter(([name]) => !LEFT_OUT.has(name) && !LEFT_OUT_GROUPS.test(name))
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, value]) => [name, isCredential(name) ? 'present' : String(value)]);
  return telling.length === 0 ? null : JSON.stringify(Object.fromEntries(telling));
}

function isCredential(name: string): boolean {
  return isCredentialHeader(name) || CREDENTIAL_NAME.test(name);
}
