import type { OutgoingRequest } from '../model/attempt.ts';
import type { Clock } from '../support/clock.ts';
import { isLoopback } from './loopback-guard.ts';
import { startLimit } from './time-limit.ts';
import { isOpen, type OpenSocket } from './wire/open-socket.ts';

/**
 * On one machine the first last byte wakes the receiver, which may have read it, and acted, before the second is written. A
 * receiver that is reading something else meanwhile finds them all at once. So a few more connections carry the beginning of
 * a request that is never completed: no handler ever sees it, and many short header lines cost a parser far more time than us.
 */
export type Distraction = {
  /** Gives the receiver something to read. Synchronous. */
  readonly start: () => void;
  readonly end: () => void;
};

const BEGINNING = 'OPTIONS * HTTP/1.1\r\nHost: localhost\r\n';
/** Below the 16 KiB of header that Node's server takes. */
const LINES = Buffer.from('a:b\r\n'.repeat(3000));

/** A write that took longer has lost its core to the receiver, which will have read it all by now: once more, then. */
const PROMPT_MS = 0.15;
const TRIES = 4;
/**
 * Until the receiver's process is awake and in the middle of it. On a machine with idle cores a pair met in 51 % of rounds without
 * this wait, in 43 % with 0.1 ms, in 90 % with 0.2, in 92 % with 0.3, in 90 % with 0.4.
 */
const AWAKE_MS = 0.25;
/** A receiver that takes no more connections must not hold up what matters. */
const PATIENCE_MS = 500;

/** Where the receiver is far away, the network's own unevenness is larger than what this could win. */
const NONE: Distraction = { start: () => {}, end: () => {} };

type Means = { readonly openSocket: OpenSocket; readonly clock: Clock; readonly signal: AbortSignal | undefined };

/** To be opened after the connections that matter, for the sake of a receiver that serves one after the other. Never fails. */
export async function openDistraction(
  [request]: readonly OutgoingRequest[],
  { openSocket, clock, signal }: Means,
): Promise<Distraction> {
  if (request === undefined || !isLoopback(request.url)) return NONE;
  const patience = new AbortController();
  const stop = startLimit({ timeoutMs: PATIENCE_MS, signal }, () => patience.abort());
  const opened = await Promise.all(
    Array.from({ length: TRIES }, () => openSocket(request.url, { signal: patience.signal })),
  );
  stop();
  const sockets = opened.filter(isOpen);
  for (const socket of sockets) {
    socket.resume();
    socket.write(BEGINNING);
  }
  return {
    start: () => {
      sockets.some((socket) => {
        const startMs = clock.now();
        socket.write(LINES);
        return clock.now() - startMs < PROMPT_MS;
      });
      if (sockets.length > 0) waitBusily(clock);
    },
    end: () => {
      for (const socket of sockets) socket.destroy();
    },
  };
}

/** No timer is that short, and whoever sleeps may wake too late. */
function waitBusily(clock: Clock): void {
  for (const untilMs = clock.now() + AWAKE_MS; clock.now() < untilMs; );
}
