import type { Outcome, SentOutcome } from '../model/attempt.ts';

export type NoResponse = Extract<Outcome, { kind: 'no-response' }>;

export function noResponse(reason: NoResponse['reason'], detail: string): NoResponse {
  return { kind: 'no-response', reason, detail };
}

/** A connection that never came to be, on its way through an API that wants an Error. */
export class ConnectFailure extends Error {
  override readonly name = 'ConnectFailure';
  readonly outcome: NoResponse;

  constructor(outcome: NoResponse) {
    super(outcome.detail);
    this.outcome = outcome;
  }
}

/** Why no connection could be made. Nothing was sent. */
export function connectFailure(url: URL, error: Error): NoResponse {
  const causes = causesOf(error);
  const codes = causes.map((cause) => cause.code ?? '');
  const tried = causes.flatMap(({ address, port }) => (address ? [`${bracketed(address)}:${port}`] : []));
  const where = tried.length > 0 ? ` (tried ${tried.join(', ')})` : '';
  const system = [...new Set(codes.filter((code) => code !== ''))].join(', ') || error.message;
  if (codes.some((code) => OUR_SHORTAGE.has(code))) {
    return noResponse('aborted', `This machine could not open a connection to ${url.host}: ${system}${where}.`);
  }
  if (codes.some((code) => DNS.has(code))) {
    return noResponse('dns', `The name "${url.hostname}" could not be resolved: ${system}.`);
  }
  if (isTlsError(error)) return tlsFailure(url, error);
  return noResponse('refused', `No connection to ${url.host}: ${system}${where}. Is the receiver running?`);
}

function tlsFailure(url: URL, error: NodeJS.ErrnoException): NoResponse {
  const hint = /SELF_SIGNED|UNABLE_TO|ALTNAME|EXPIRED/.test(error.code ?? '')
    ? ' Its certificate is not trusted here: name its authority with --cacert FILE, or skip the check with --insecure.'
    : ' Does this port speak TLS?';
  return noResponse('tls', `The TLS handshake with ${url.host} failed: ${error.code ?? error.message}.${hint}`);
}

/** How far an exchange came before its connection broke. */
export type Progress = { readonly status?: number | undefined; readonly reused: boolean };

/** The connection was there and broke. The receiver may have acted. */
export function brokenExchange(url: URL, error: NodeJS.ErrnoException | undefined, progress: Progress): NoResponse {
  if (error && isTlsError(error)) return tlsFailure(url, error);
  const how = error?.code === 'ECONNRESET' || error?.code === 'EPIPE' ? `was reset (${error.code})` : 'was closed';
  if (progress.status !== undefined) {
    return noResponse('reset', `The connection ${how} in the middle of the receiver's ${progress.status} answer.`);
  }
  const stale = progress.reused
    ? ' It had served earlier deliveries: the receiver may have closed it between two of them.'
    : '';
  return noResponse('reset', `The connection ${how} before the receiver answered.${stale}`);
}

/** An answer came that is none. */
export function notHttp(url: URL, detail: string): NoResponse {
  return noResponse('not-http', `${url.host} does not speak HTTP/1.1. ${detail}`);
}

/** What came instead of HTTP, readable. */
export function startOf(answer: Uint8Array): string {
  if (answer[0] === 0x15 && answer[1] === 0x03) return 'The port answered with TLS; use https.';
  const text = Buffer.from(answer.subarray(0, 40))
    .toString('latin1')
    .replace(/[^\x20-\x7e]/g, '.');
  return `The answer starts with "${text}".`;
}

/** What became of an exchange that we did not wait for any longer. */
export function givenUp(
  why: 'timeout' | 'aborted',
  { timeoutMs, connected }: { readonly timeoutMs: number; readonly connected: boolean },
): NoResponse {
  if (why === 'aborted') return noResponse('aborted', 'We gave up before a complete answer came.');
  return noResponse('timeout', `No ${connected ? 'complete answer' : 'connection'} within ${timeoutMs} ms.`);
}

/** Called off before anything was done. */
export function neverSent(nowMs: number): SentOutcome {
  return { outcome: givenUp('aborted', { timeoutMs: 0, connected: false }), sentMs: nowMs, doneMs: nowMs };
}

/** Not the receiver's doing: no file handles, no ports, no memory for buffers. */
const OUR_SHORTAGE = new Set(['EMFILE', 'ENFILE', 'EADDRINUSE', 'ENOBUFS', 'ENOMEM']);

const DNS = new Set(['ENOTFOUND', 'EAI_AGAIN', 'EAI_FAIL', 'EAI_NONAME', 'EAI_NODATA']);

type Cause = Error & { readonly code?: string; readonly address?: string; readonly port?: number };

/** Several addresses fail as one AggregateError. */
function causesOf(error: Error): readonly Cause[] {
  return error instanceof AggregateError ? error.errors : [error];
}

function isTlsError({ code = '', message }: NodeJS.ErrnoException): boolean {
  return (
    /^(ERR_TLS|ERR_SSL|CERT_|EPROTO|UNABLE_TO_|DEPTH_ZERO|SELF_SIGNED|INVALID_(CA|PURPOSE)|HOSTNAME_MISMATCH)/.test(
      code,
    ) || message.includes('before secure TLS connection')
  );
}

function bracketed(address: string): string {
  return address.includes(':') ? `[${address}]` : address;
}
