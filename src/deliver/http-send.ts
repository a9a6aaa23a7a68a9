import type { OutgoingRequest, Send, SendOptions, SentOutcome } from '../model/attempt.ts';
import type { Headers } from '../model/event.ts';
import type { Clock } from '../support/clock.ts';
import type { ConnectionPool } from './connection-pool.ts';
import { DEFAULT_BODY_BYTES } from './default-body-bytes.ts';
import {
  brokenExchange,
  ConnectFailure,
  givenUp,
  type NoResponse,
  neverSent,
  noResponse,
  notHttp,
  type Progress,
  startOf,
} from './no-response.ts';
import { whenReusable } from './reuse.ts';
import { startLimit } from './time-limit.ts';
import type { UndiciLane } from './undici-lane.ts';
import { bodyStart } from './wire/body-start.ts';
import { hostHeader } from './wire/request-bytes.ts';

export type HttpSendSetup = { readonly clock: Clock; readonly lanes: ConnectionPool<UndiciLane> };

/** One exchange through undici. What goes out is exactly the request: no redirect, no retry, no proxy, no decoding. */
export function createHttpSend({ clock, lanes }: HttpSendSetup): Send {
  return (request, options) =>
    new Promise((resolve, reject) => {
      lanes.use(request.url.origin, (lane, free) => {
        if (options.signal?.aborted) {
          free();
          resolve(neverSent(clock.now()));
          return;
        }
        const onBug = (error: Error) => {
          free();
          reject(error);
        };
        exchange(request, { lane, clock, options, free, onBug }, resolve);
      });
    });
}

type Exchange = {
  readonly lane: UndiciLane;
  readonly clock: Clock;
  readonly options: SendOptions;
  /** Called when the lane may carry the next exchange: after an abort that is later than the outcome. */
  readonly free: () => void;
  readonly onBug: (error: Error) => void;
};

function exchange(
  request: OutgoingRequest,
  { lane, clock, options, free, onBug }: Exchange,
  resolve: (sent: SentOutcome) => void,
): void {
  const reused = lane.reuses();
  const body = bodyStart(options.maxBodyBytes ?? DEFAULT_BODY_BYTES);
  let sentMs = clock.now();
  let head: { readonly status: number; readonly headers: Headers } | undefined;
  let abort: (() => void) | undefined;
  let over = false;

  const settle = (outcome: SentOutcome['outcome']) => {
    if (over) return;
    over = true;
    stopLimit();
    resolve({ outcome, sentMs, doneMs: clock.now() });
  };
  const giveUp = (why: 'timeout' | 'aborted') => {
    settle(givenUp(why, { timeoutMs: options.timeoutMs, connected: abort !== undefined }));
    if (abort) abort();
    else lane.stopConnecting();
  };
  let stopLimit = () => {};

  const handler = {
    onConnect: (abortExchange: () => void) => {
      abort = abortExchange;
      if (over) abortExchange();
    },
    onRequestSent: () => {
      sentMs = clock.now();
      if (!options.cutAfterBody) return;
      settle(noResponse('reset', 'We broke the connection off behind the body, as planned.'));
      // The bytes are on their way by the next turn; only then may the socket go.
      setImmediate(() => abort?.());
    },
    onHeaders: (status: number, rawHeaders: Buffer[]) => {
      if (status >= 200) head = { status, headers: pairs(rawHeaders) };
      return true;
    },
    onData: (chunk: Buffer) => {
      body.add(chunk);
      return true;
    },
    onComplete: () => {
      if (head) settle({ kind: 'response', ...head, body: body.bytes() });
      whenReusable(free);
    },
    onError: (error: Error) => {
      if (isOurBug(error)) return onBug(error);
      settle(failureOf(request.url, error, { status: head?.status, reused }));
      free();
    },
  };
  lane.client.dispatch(dispatchOptions(request, lane), handler);
  stopLimit = startLimit(options, giveUp);
  if (over) stopLimit();
}

function dispatchOptions(request: OutgoingRequest, lane: UndiciLane) {
  return {
    path: request.target,
    method: request.method,
    headers: headerLines(request),
    body: request.payload.length === 0 ? null : request.payload,
    ...(lane.keepAlive() ? {} : { reset: true }),
  };
}

/** Names and values in turn, as undici takes them. */
function headerLines(request: OutgoingRequest): string[] {
  const lines = ['host', hostHeader(request)];
  for (const [name, value] of request.headers) if (name.toLowerCase() !== 'host') lines.push(name, value);
  return lines;
}

function failureOf(url: URL, error: NodeJS.ErrnoException & { data?: unknown }, progress: Progress): NoResponse {
  if (error instanceof ConnectFailure) return error.outcome;
  if (isNotHttp(error, progress)) {
    return notHttp(url, typeof error.data === 'string' ? startOf(Buffer.from(error.data)) : `${error.message}.`);
  }
  return brokenExchange(url, error, progress);
}

/** A body that breaks off ends as an error of the parser, too, when the connection was to be closed anyway. */
function isNotHttp({ name, code, message }: NodeJS.ErrnoException, { status }: Progress): boolean {
  if (name === 'HTTPParserError') return !/eof/i.test(message);
  if (code === 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH') return status === undefined;
  return code === 'UND_ERR_HEADERS_OVERFLOW' || /^bad (response|upgrade)$/.test(message);
}

function isOurBug({ code }: NodeJS.ErrnoException): boolean {
  return code === 'UND_ERR_INVALID_ARG' || code === 'UND_ERR_NOT_SUPPORTED';
}

/** Trailing blanks are no part of a value (RFC 9110 section 5.5); undici leaves them there. */
function pairs(raw: readonly Buffer[]): Headers {
  return Array.from({ length: raw.length / 2 }, (_, index) => [
    textOf(raw[index * 2]),
    withoutTrailingBlanks(textOf(raw[index * 2 + 1])),
  ]);
}

function withoutTrailingBlanks(text: string): string {
  let end = text.length;
  while (end > 0 && (text[end - 1] === ' ' || text[end - 1] === '\t')) end--;
  return end === text.length ? text : text.slice(0, end);
}

function textOf(bytes: Buffer | undefined): string {
  return bytes?.toString('latin1') ?? '';
}
