import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Arrival } from '../model/corpus.ts';
import type { CapturedAnswer, EventFacts, RawRequest } from '../model/event.ts';
import { formatBytes } from '../support/bytes.ts';
import { type Clock, isoTime } from '../support/clock.ts';
import { messageOf } from '../support/errors.ts';
import type { AnswerLog } from './answer-log.ts';
import { type Forward, forwardDelivery } from './forward.ts';
import type { LoopGuard } from './loop-guard.ts';
import type { CapturedDelivery, CaptureListener } from './progress.ts';
import { readRequest } from './read-request.ts';
import { plainReply, type Reply, writeReply } from './reply.ts';

/** What a sender is told once its delivery is stored. */
export type AnswerPolicy =
  | { readonly kind: 'fixed'; readonly reply: Reply }
  | { readonly kind: 'forward'; readonly forward: Forward };

/** Reads provider facts; a `provider` given is taken as it is. */
export type FactsReader = (request: RawRequest, provider?: string) => EventFacts;

export type DeliveryContext = {
  readonly limitBytes: number;
  readonly provider?: string | undefined;
  readonly tags: readonly string[];
  readonly policy: AnswerPolicy;
  readonly factsOf: FactsReader;
  /** Resolves with its id once it is on disk. */
  readonly store: (arrival: Arrival) => Promise<string>;
  readonly answers: AnswerLog;
  readonly loop: LoopGuard;
  readonly clock: Clock;
  readonly tell: CaptureListener;
  /** Fires when open forwards must be given up. */
  readonly giveUp: AbortSignal;
};

/** `complete`: it came whole and is stored. */
export type End = 'complete' | 'other';

type Exchange = { readonly context: DeliveryContext; readonly response: ServerResponse; readonly startedMs: number };

/**
 * 1. read     the whole request, or what the sender gave of it
 * 2. store    committed to disk before anything is answered
 * 3. answer   as the policy says, or pass the bytes on and answer as the receiver did
 * 4. note     how it ended
 */
export async function handleDelivery(
  context: DeliveryContext,
  message: IncomingMessage,
  response: ServerResponse,
): Promise<End> {
  const receivedAt = isoTime(context.clock.epochMs());
  const received = await readRequest(message, context.limitBytes);
  const exchange: Exchange = { context, response, startedMs: context.clock.now() };
  if (context.loop.isEcho(received.request.headers)) return refuseEcho(exchange);
  const { request, marks, originalBytes } = received;
  const { provider, tags } = context;
  const arrival = { ...request, receivedAt, provider, tags, marks, originalBytes };
  let id: string;
  try {
    id = await context.store(arrival);
  } catch (error) {
    return answerNotStored(exchange, error);
  }
  return answerStored(exchange, { id, arrival });
}

type Stored = { readonly id: string; readonly arrival: Arrival };

async function answerStored(exchange: Exchange, { id, arrival }: Stored): Promise<End> {
  const { policy, tell, limitBytes } = exchange.context;
  const { marks } = arrival;
  const delivery = once(() => deliveryOf(exchange.context, { id, arrival }));
  if (marks.includes('incomplete')) {
    tell({ kind: 'captured', marks, delivery });
    return 'other';
  }
  if (marks.includes('truncated')) {
    const detail = `the body of ${formatBytes(arrival.originalBytes ?? 0)} is over the limit of ${formatBytes(limitBytes)}`;
    const answered = answerFixed(exchange, id, plainReply(413, `Rejected: ${detail}.\n`));
    tell({ kind: 'captured', marks, delivery, answer: 413 });
    tell({ kind: 'rejected', reason: 'too-large', status: 413, detail, id });
    await answered;
    return 'other';
  }
  if (policy.kind === 'fixed') {
    // The answer goes out before our own output, which may be slow.
    const answered = answerFixed(exchange, id, policy.reply);
    tell({ kind: 'captured', marks, delivery, answer: policy.reply.status });
    await answered;
  } else {
    tell({ kind: 'captured', marks, delivery });
    await passOn(exchange, { id, arrival, delivery, forward: policy.forward });
  }
  return 'complete';
}

async function answerFixed({ context, response, startedMs }: Exchange, id: string, reply: Reply): Promise<void> {
  const { answers, clock } = context;
  const tookMs = () => Math.round(clock.now() - startedMs);
  const heard = await writeReply(response, reply);
  if (heard) answers.note(id, { kind: 'answered', by: 'capture', status: reply.status, tookMs: tookMs() });
  else answers.note(id, { kind: 'not-delivered', reason: 'the sender hung up before the answer', tookMs: tookMs() });
}

type PassOn = Stored & { readonly delivery: () => CapturedDelivery; readonly forward: Forward };

async function passOn({ context, response, startedMs }: Exchange, passed: PassOn): Promise<void> {
  const { loop, giveUp, clock, answers, tell } = context;
  const { id, arrival, delivery, forward } = passed;
  const { reply, notDelivered, withheld } = await forwardDelivery(forward, {
    id,
    request: arrival,
    extra: loop.marksFor(arrival.payload),
    signal: giveUp,
  });
  const heard = await writeReply(response, reply);
  const reason = notDelivered ?? (heard ? undefined : `the sender hung up before the receiver's ${reply.status} came`);
  const tookMs = Math.round(clock.now() - startedMs);
  const answer: CapturedAnswer =
    reason === undefined
      ? { kind: 'answered', by: 'receiver', status: reply.status, tookMs }
      : { kind: 'not-delivered', reason, tookMs };
  answers.note(id, answer);
  tell({ kind: 'forwarded', delivery, answer, told: reply.status, withheld });
}

async function answerNotStored({ context, response }: Exchange, error: unknown): Promise<End> {
  const detail = `the delivery could not be stored: ${messageOf(error).replace(/\.$/, '')}`;
  const status = response.destroyed ? undefined : 500;
  context.tell({ kind: 'rejected', reason: 'not-stored', status, detail });
  await writeReply(response, plainReply(500, 'webhook-replay could not store this delivery. Send it again later.\n'));
  return 'other';
}

async function refuseEcho({ context, response }: Exchange): Promise<End> {
  const detail = 'a delivery came back that was forwarded from here: the receiver leads to this capture';
  context.tell({ kind: 'rejected', reason: 'loop', status: 508, detail });
  await writeReply(response, plainReply(508, 'Loop detected: this capture has forwarded this very delivery.\n'));
  return 'other';
}

function deliveryOf(context: DeliveryContext, { id, arrival }: Stored): CapturedDelivery {
  const { receivedAt, method, path, payload, marks, originalBytes } = arrival;
  return { ...factsFor(context, arrival), id, receivedAt, method, path, bytes: payload.length, originalBytes, marks };
}

/** Whatever a body may do to the reader of facts, its delivery is kept, and told. */
function factsFor({ factsOf, provider, tell }: DeliveryContext, request: RawRequest): EventFacts {
  try {
    return factsOf(request, provider);
  } catch (error) {
    tell({ kind: 'warning', text: `The facts of a delivery could not be read: ${messageOf(error)}.` });
    return { provider: provider ?? 'generic' };
  }
}

function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
