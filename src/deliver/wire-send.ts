import type { OutgoingRequest, Send, SendOptions, SentOutcome } from '../model/attempt.ts';
import type { Clock } from '../support/clock.ts';
import type { ConnectionPool } from './connection-pool.ts';
import { DEFAULT_BODY_BYTES } from './default-body-bytes.ts';
import { brokenExchange, givenUp, neverSent, noResponse, notHttp } from './no-response.ts';
import { whenReusable } from './reuse.ts';
import { startLimit } from './time-limit.ts';
import { isOpen } from './wire/open-socket.ts';
import { rememberingWriteRequest, type WriteRequest } from './wire/request-bytes.ts';
import { type ParserState, responseParser } from './wire/response-parser.ts';
import type { WireLane } from './wire/wire-lane.ts';

export type WireSendSetup = { readonly clock: Clock; readonly lanes: ConnectionPool<WireLane> };

/** One exchange over a connection of our own, to be told from one through undici by nothing but its cost. */
export function createWireSend({ clock, lanes }: WireSendSetup): Send {
  const write = rememberingWriteRequest();
  return (request, options) =>
    new Promise((resolve) => {
      lanes.use(request.url.origin, (lane, free) => {
        if (options.signal?.aborted) {
          free();
          resolve(neverSent(clock.now()));
        } else {
          exchange(request, { lane, clock, options, write, free }, resolve);
        }
      });
    });
}

type Exchange = {
  readonly lane: WireLane;
  readonly clock: Clock;
  readonly options: SendOptions;
  readonly write: WriteRequest;
  /** Called once, when the lane may carry the next exchange. */
  readonly free: () => void;
};

function exchange(
  request: OutgoingRequest,
  { lane, clock, options, write, free }: Exchange,
  resolve: (sent: SentOutcome) => void,
): void {
  const { url, method } = request;
  const maxBodyBytes = options.maxBodyBytes ?? DEFAULT_BODY_BYTES;
  const parser = responseParser({ method, maxBodyBytes, readHead: lane.readHead });
  let sentMs = clock.now();
  let connected = false;
  let over = false;

  const settle = (outcome: SentOutcome['outcome']) => {
    over = true;
    stopLimit();
    resolve({ outcome, sentMs, doneMs: clock.now() });
  };
  /** The connection cannot be used again. */
  const breakOff = () => {
    lane.hear(undefined);
    lane.drop();
    free();
  };
  const giveUp = (why: 'timeout' | 'aborted') => {
    settle(givenUp(why, { timeoutMs: options.timeoutMs, connected }));
    if (connected) breakOff();
    else lane.stopConnecting();
  };
  let stopLimit = () => {};

  lane.connect((opened, reused) => {
    if (over) return breakOff();
    if (!isOpen(opened)) {
      settle(opened);
      return free();
    }
    connected = true;
    const look = (state: ParserState) => {
      if (state.kind === 'more') return;
      if (state.kind === 'broken') {
        settle(notHttp(url, state.detail));
        return breakOff();
      }
      settle(state.response);
      lane.hear(undefined);
      if (!parser.persists() || !lane.keepAlive() || opened.writableLength > 0) lane.drop();
      whenReusable(free);
    };
    lane.hear({
      data: (chunk) => look(parser.push(chunk)),
      end: () => look(parser.end()),
      closed: (failure) => {
        settle(brokenExchange(url, failure, { status: parser.status(), reused }));
        breakOff();
      },
    });
    const bytes = write(request, lane.keepAlive() ? 'keep-alive' : 'close', lane.room);
    if (options.cutAfterBody) {
      opened.write(bytes, () => {
        if (over) return;
        settle(noResponse('reset', 'We broke the connection off behind the body, as planned.'));
        breakOff();
      });
    } else {
      opened.write(bytes);
    }
    sentMs = clock.now();
  });
  if (!over) stopLimit = startLimit(options, giveUp);
}
