import type { Socket } from 'node:net';
import type { Outcome, OutgoingRequest, SendOptions, SendTogether, SentOutcome } from '../model/attempt.ts';
import type { Clock } from '../support/clock.ts';
import { DEFAULT_BODY_BYTES } from './default-body-bytes.ts';
import { isLoopback } from './loopback-guard.ts';
import { givenUp, type NoResponse } from './no-response.ts';
import { startLimit } from './time-limit.ts';
import { isOpen, type OpenSocket } from './wire/open-socket.ts';
import { readAnswer } from './wire/read-answer.ts';
import { requestBytes } from './wire/request-bytes.ts';
import { responseParser } from './wire/response-parser.ts';

export type TogetherSetup = { readonly clock: Clock; readonly openSocket: OpenSocket };

/**
 * Opens a fresh connection for each request, writes all but its last byte, lets that arrive, then hands all last bytes
 * to the system in one synchronous loop. A receiver cannot have read any of the requests whole before that.
 * The timeout counts from the release; connecting and filling has as much time of its own.
 */
export function createSendTogether({ clock, openSocket }: TogetherSetup): SendTogether {
  return async (requests, options) => {
    const startMs = clock.now();
    const held = await Promise.all(requests.map((request) => hold(request, { openSocket, options })));
    await clock.sleep(settleMs(requests), options.signal);
    const releasedMs = release(held, clock);
    const sent = await Promise.all(
      held.map(async (one, index): Promise<SentOutcome> => {
        const outcome = await withinLimit(one, options);
        return { outcome, sentMs: releasedMs[index] ?? startMs, doneMs: clock.now() };
      }),
    );
    return { sent, spreadMicros: spreadMicros(releasedMs.filter((instant) => instant !== undefined)) };
  };
}

type Held = {
  readonly answer: Promise<Outcome>;
  /** Absent when there is no connection. */
  readonly socket?: Socket;
  readonly last: Buffer;
};

type Holding = { readonly openSocket: OpenSocket; readonly options: SendOptions };

async function hold(request: OutgoingRequest, { openSocket, options }: Holding): Promise<Held> {
  const bytes = requestBytes(request, 'close');
  const last = bytes.subarray(-1);
  const patience = new AbortController();
  let late: NoResponse | undefined;
  let connected = false;
  const stop = startLimit(options, (why) => {
    late = givenUp(why, { timeoutMs: options.timeoutMs, connected });
    patience.abort();
  });
  const opened = await openSocket(request.url, patience.signal);
  if (!isOpen(opened)) {
    stop();
    return { answer: Promise.resolve(late ?? opened), last };
  }
  connected = true;
  const maxBodyBytes = options.maxBodyBytes ?? DEFAULT_BODY_BYTES;
  const answer = readAnswer(opened, request.url, responseParser({ method: request.method, maxBodyBytes }));
  await Promise.race([filled(opened, bytes.subarray(0, -1), patience.signal), answer]);
  stop();
  return { answer, socket: opened, last };
}

/** Ends at the end of patience, too: a receiver that does not read never takes a large body. */
function filled(socket: Socket, bytes: Buffer, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    signal.addEventListener('abort', () => resolve(), { once: true });
    socket.write(bytes, () => resolve());
  });
}

/** Until the receiver has accepted, and read what there is; another machine is further away. */
function settleMs(requests: readonly OutgoingRequest[]): number {
  return requests.every(({ url }) => isLoopback(url)) ? 5 : 20;
}

/** Nothing but writes and clock readings here: what stands between two of them is the spread. */
function release(held: readonly Held[], clock: Clock): ReadonlyArray<number | undefined> {
  const instants: Array<number | undefined> = [];
  for (const { socket, last } of held) {
    if (socket?.writable) {
      socket.write(last);
      instants.push(clock.now());
    } else {
      instants.push(undefined);
    }
  }
  return instants;
}

function withinLimit({ answer, socket }: Held, options: SendOptions): Promise<Outcome> {
  return new Promise((resolve) => {
    const stop = startLimit(options, (why) => {
      resolve(givenUp(why, { timeoutMs: options.timeoutMs, connected: true }));
      socket?.destroy();
    });
    void answer.then((outcome) => {
      stop();
      resolve(outcome);
    });
  });
}

function spreadMicros(instants: readonly number[]): number {
  return instants.length === 0 ? 0 : (Math.max(...instants) - Math.min(...instants)) * 1000;
}
