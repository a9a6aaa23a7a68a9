import { type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import type { Clock } from '../support/clock.ts';
import { formatDuration } from '../support/duration.ts';
import { ProbeError } from '../support/errors.ts';
import { reasonOf } from './connection-failure.ts';

const TIMEOUT_MS = 10_000;
const MAX_BYTES = 32 * 1024 * 1024;

type Get = {
  readonly url: URL;
  /** The URL for messages, without credentials. */
  readonly shown: string;
  readonly clock: Clock;
  readonly accept?: string | undefined;
};

/** The body of a 2xx answer. No redirects, no kept connections: a reader must not depend on what the receiver closes. */
export async function getText({ url, shown, clock, accept = 'application/json' }: Get): Promise<string> {
  const over = new AbortController();
  const late = new AbortController();
  void clock.sleep(TIMEOUT_MS, over.signal).then(() => late.abort());
  try {
    const answer = await send(url, accept, late.signal);
    const body = await bodyOf(answer);
    const status = answer.statusCode ?? 0;
    if (status >= 200 && status < 300) return body;
    throw new ProbeError(`"${shown}" answered ${status}${body === '' ? '' : `: "${body.slice(0, 200)}"`}.`, {
      hint: hintFor(status, answer.headers.location),
    });
  } catch (cause) {
    if (cause instanceof ProbeError) throw cause;
    const why = late.signal.aborted ? `no answer within ${formatDuration(TIMEOUT_MS)}` : reasonOf(cause);
    throw new ProbeError(`"${shown}" cannot be read: ${why}.`, { hint: 'Is it running, and is the URL right?', cause });
  } finally {
    over.abort();
  }
}

function send(url: URL, accept: string, signal: AbortSignal): Promise<IncomingMessage> {
  const request = url.protocol === 'https:' ? requestHttps : requestHttp;
  const headers = { accept, 'accept-encoding': 'identity' };
  return new Promise((resolve, reject) => {
    // Node itself makes the Authorization header of the URL's user and password.
    request(url, { agent: false, headers, signal }, resolve).on('error', reject).end();
  });
}

async function bodyOf(answer: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of answer as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > MAX_BYTES) throw new Error(`the answer is longer than ${MAX_BYTES / 1024 / 1024} MiB`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function hintFor(status: number, location: string | undefined): string {
  if (status >= 300 && status < 400)
    return `Redirects are not followed; name the final URL${location ? ` (${location})` : ''}.`;
  if (status === 401 || status === 403)
    return 'Put user and password in front of the host: http://user:password@host/.';
  return 'Open the URL yourself and see what it says.';
}
