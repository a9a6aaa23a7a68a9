import { messageOf, ProbeError } from '../support/errors.ts';

export const CONNECT_TIMEOUT_MS = 5000;

/** Nobody is there, or we are not let in. */
export function cannotBeReached(source: string, cause: unknown): ProbeError {
  return new ProbeError(`"${source}" cannot be reached: ${reasonOf(cause)}.`, {
    hint: 'Is it running, and are host, port, user and password right?',
    cause,
  });
}

/** It was there, and is not any more. */
export function wasLost(source: string, cause: unknown): ProbeError {
  return new ProbeError(`The connection to "${source}" was lost: ${reasonOf(cause)}.`, {
    hint: 'What came since then was not seen; look why it ended, and run again.',
    cause,
  });
}

/** An error over several addresses (localhost as ::1 and 127.0.0.1) has no message of its own. */
export function reasonOf(cause: unknown): string {
  if (cause === undefined) return 'the connection ended';
  if (cause instanceof AggregateError) return cause.errors.map(messageOf).join(', ');
  const { library, reason } = cause as { readonly library?: string; readonly reason?: string };
  if (library === 'SSL routines') return `the TLS handshake failed (${reason})`;
  return messageOf(cause).replace(/\.$/, '') || 'the connection failed';
}
