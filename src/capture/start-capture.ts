import { createServer, type Server, type ServerResponse } from 'node:http';
import type { Arrival, ArrivalDesk } from '../model/corpus.ts';
import type { Clock } from '../support/clock.ts';
import { UserError } from '../support/errors.ts';
import { uniqueId } from '../support/random.ts';
import { answerLog } from './answer-log.ts';
import { refuseBadRequest } from './bad-request.ts';
import { groupCommit } from './group-commit.ts';
import { type AnswerPolicy, type DeliveryContext, type FactsReader, handleDelivery } from './handle-delivery.ts';
import { type Indexing, indexInPauses } from './index-in-pauses.ts';
import { listen, urlOf } from './listen.ts';
import { loopGuard } from './loop-guard.ts';
import { isOwnAddress, type Listening } from './own-address.ts';
import type { CaptureListener, CaptureProgress, StopReason } from './progress.ts';
import { type Traffic, trackTraffic } from './traffic.ts';
import { type EndConditions, waitForEnd } from './wait-for-end.ts';

export type CaptureRequest = Listening & {
  /** Of a body; more is answered 413 and stored as `truncated`. */
  readonly limitBytes: number;
  /** Overrides detection. */
  readonly provider?: string | undefined;
  readonly tags: readonly string[];
  readonly policy: AnswerPolicy;
};

export type CapturePorts = {
  readonly corpus: ArrivalDesk;
  readonly factsOf: FactsReader;
  readonly clock: Clock;
  readonly listener: CaptureListener;
};

export type Capture = Listening & {
  readonly url: string;
  readonly traffic: Traffic;
  /** Resolves at the first condition that holds; rejects when the server cannot go on. */
  readonly until: (conditions: EndConditions) => Promise<StopReason>;
  /** Accepts nothing more, lets open requests finish within a bound, notes the last answers. */
  readonly stop: (why: StopReason) => Promise<void>;
};

/** node's own limit of 16 KB is less than what gateways in front of senders add. */
const MAX_HEADER_BYTES = 64 * 1024;
/** Longer than any sender of providers.json waits; a slow uplink may take minutes over a large body. */
const REQUEST_MS = 600_000;
const HEAD_MS = 60_000;
/** Longer than the idle time of senders' pools, so that they close first and no request meets a closing socket. */
const KEEP_ALIVE_MS = 75_000;
const DRAIN_MS = 5000;

/** @throws UserError when the port cannot be used or the receiver is this capture itself */
export async function startCapture(request: CaptureRequest, ports: CapturePorts): Promise<Capture> {
  const { clock } = ports;
  const traffic = trackTraffic(clock);
  const tell = (progress: CaptureProgress) => {
    traffic.count(progress);
    ports.listener(progress);
  };
  const giveUp = new AbortController();
  const warn = (text: string) => tell({ kind: 'warning', text });
  const indexing = indexInPauses({ index: ports.corpus.index, clock, warn });
  const context = contextOf(request, { ...ports, listener: tell, warn, indexing, giveUp: giveUp.signal });
  const { server, drain, failure } = serve(context, traffic);
  const listening = await listen(server, request);
  if (request.policy.kind === 'forward' && isOwnAddress(request.policy.forward.origin, listening)) {
    server.close();
    throw forwardToSelf(request.policy.forward.origin);
  }
  const url = urlOf(listening);
  tell({ kind: 'ready', url });
  return {
    ...listening,
    url,
    traffic,
    until: (conditions) => Promise.race([failure, waitForEnd(conditions, traffic, clock)]),
    stop: async (why) => {
      drain();
      await quiet(traffic, clock);
      giveUp.abort();
      await close(server, traffic);
      await context.answers.flush();
      await indexing.finish();
      tell({ kind: 'stopped', why, counts: traffic.counts() });
    },
  };
}

type ContextPorts = CapturePorts & {
  readonly warn: (text: string) => void;
  readonly indexing: Indexing;
  readonly giveUp: AbortSignal;
};

function contextOf(request: CaptureRequest, ports: ContextPorts): DeliveryContext {
  const { corpus, factsOf, clock, listener: tell, warn, indexing, giveUp } = ports;
  return {
    ...request,
    factsOf,
    clock,
    tell,
    giveUp,
    store: groupCommit(async (arrivals: readonly Arrival[]) => {
      const ids = await corpus.receive(arrivals);
      indexing.came(ids.length);
      return ids;
    }),
    answers: answerLog({ answered: corpus.answered, clock, warn }),
    loop: loopGuard(uniqueId(16)),
  };
}

type Serving = {
  readonly server: Server;
  /** Accepts no more connections and closes each one behind its open answer. */
  readonly drain: () => void;
  /** Never resolves. */
  readonly failure: Promise<never>;
};

function serve(context: DeliveryContext, traffic: Traffic): Serving {
  const limits = { maxHeaderSize: MAX_HEADER_BYTES, requestTimeout: REQUEST_MS, headersTimeout: HEAD_MS };
  // HTTP/1.0 senders have no Host, and we need none.
  const server = createServer({ ...limits, keepAliveTimeout: KEEP_ALIVE_MS, requireHostHeader: false });
  // 0 is no limit: node would drop the rest without a word.
  server.maxHeadersCount = 0;
  const open = new Set<ServerResponse>();
  const failure = new Promise<never>((_, fail) => {
    server.on('request', (message, response) => {
      const end = traffic.begin();
      open.add(response);
      if (!server.listening) response.shouldKeepAlive = false;
      handleDelivery(context, message, response)
        .then(end, fail)
        .finally(() => open.delete(response));
    });
    // Before it listens, listen() hears errors first and throws them.
    server.on('error', fail);
  });
  failure.catch(() => {});
  // An Expect that we do not know is no reason to lose a delivery.
  server.on('checkExpectation', (message, response) => server.emit('request', message, response));
  server.on('clientError', refuseBadRequest(context.tell));
  server.on('connect', (_message, socket) => {
    refuseBadRequest(context.tell)(new Error('this is no proxy: CONNECT is not answered'), socket);
  });
  const drain = () => {
    server.close();
    for (const response of open) response.shouldKeepAlive = false;
  };
  return { server, drain, failure };
}

/** Until no request is open, but no longer than the bound. */
async function quiet(traffic: Traffic, clock: Clock): Promise<void> {
  if (traffic.open() === 0) return;
  const over = new AbortController();
  traffic.onEnd(() => {
    if (traffic.open() === 0) over.abort();
  });
  await clock.sleep(DRAIN_MS, over.signal);
}

/** What is still open is cut now; it is stored as far as it came, as incomplete. */
async function close(server: Server, traffic: Traffic): Promise<void> {
  const done = new Promise<void>((resolve) => {
    const look = () => {
      if (traffic.open() === 0) resolve();
    };
    traffic.onEnd(look);
    look();
  });
  server.closeAllConnections();
  await done;
}

function forwardToSelf(url: URL): UserError {
  return new UserError(
    'FORWARD_TO_SELF',
    `"${url.origin}" is this capture itself: each delivery would come back for ever.`,
    {
      hint: 'Give --forward the port of your receiver, or capture on another --port.',
    },
  );
}
