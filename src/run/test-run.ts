import { judgeDeath } from '../judge/judge-death.ts';
import type { WebhookEvent } from '../model/event.ts';
import type { Run, Trial } from '../model/run.ts';
import { changeEvent } from '../mutate/changes.ts';
import { prepareFamily } from '../mutate/prepare-family.ts';
import { findProvider } from '../providers/list.ts';
import { materialsOf } from '../suite/material.ts';
import type { SuiteFacts, TrialDefinition } from '../suite/trial-definition.ts';
import { isoTime } from '../support/clock.ts';
import { messageOf, ProbeError, ReceiverLost } from '../support/errors.ts';
import { uniqueId } from '../support/random.ts';
import { type BaselineBook, createBaselineBook } from './baseline-book.ts';
import { type Courier, createCourier } from './courier.ts';
import { keepRun } from './keep-run.ts';
import { observedSources } from './observed-sources.ts';
import { type PlayedTrial, playTrial } from './play-trial.ts';
import type { RunPorts, TestRequest } from './ports.ts';
import { emptyTrial } from './trial.ts';
import { verdictOf } from './verdict-of.ts';

/**
 * The suite, from chosen events to a verdict.
 *
 * 1. cast     events -> materials (one event, a resource with updates, one that is taken away)
 * 2. choose   which trials are possible with them; the others say what they need
 * 3. baseline of each material when the first trial asks for it: what should happen, and what is noise
 * 4. play     act by act: deliver, wait until quiet, judge
 * 5. keep     run -> corpus
 */
export async function testRun(request: TestRequest, ports: RunPorts): Promise<Run> {
  const id = uniqueId(6);
  const startedMs = ports.clock.now();
  const startedAt = isoTime(ports.clock.epochMs());
  const courier = createCourier(id, { request, keepAttempts: true }, ports);
  const played: PlayedTrial[] = [];
  let book: BaselineBook | undefined;
  for (let turn = 1; turn <= request.repeat && mayGoOn(played, courier, request); turn++) {
    book = openBook(request, courier, turn);
    played.push(...(await playSuite(book, courier, request)));
  }
  courier.flush();
  const trials = played.map(({ trial }) => trial);
  const { seed, nonce, stored } = request;
  const run: Run = {
    id,
    command: 'test',
    startedAt,
    durationMs: Math.round(ports.clock.now() - startedMs),
    seed,
    nonce,
    request: stored,
    receiver: { url: request.to },
    effects: observedSources(courier, book?.known()?.stretches[1]),
    counts: { events: request.events.length, attempts: courier.attempts(), planned: courier.attempts() },
    trials,
    verdict: verdictOf(trials, request.strict),
    strict: request.strict,
    interrupted: ports.signal.aborted,
    inFlight: courier.inFlight(),
  };
  keepRun(run, { events: request.events, evidence: played.map(({ evidence }) => evidence) }, ports);
  ports.listen({ kind: 'finished', run });
  return run;
}

/** What would be played, and why not: for `--list`. */
export function listTrials(request: Facts & Pick<TestRequest, 'trials'>): ReadonlyArray<{
  readonly trial: TrialDefinition;
  readonly availability: ReturnType<TrialDefinition['availability']>;
}> {
  const facts = factsOf(request);
  return request.trials.map((trial) => ({ trial, availability: trial.availability(facts) }));
}

/** Each repetition has a nonce of its own, so that its identities are new ones. */
function openBook(request: TestRequest, courier: Courier, turn: number): BaselineBook {
  const { seed, freshPointers, keepPointers, events } = request;
  const nonce = turn === 1 ? request.nonce : `${request.nonce}${turn}`;
  const family = prepareFamily(events, { seed, nonce, fresh: freshPointers, keep: keepPointers });
  return createBaselineBook({ family, materials: materialsOf(events) }, courier, request);
}

async function playSuite(book: BaselineBook, courier: Courier, request: TestRequest): Promise<readonly PlayedTrial[]> {
  const facts = factsOf(request);
  const played: PlayedTrial[] = [];
  for (const definition of request.trials) {
    if (!mayGoOn(played, courier, request)) break;
    played.push(await playOrSay(definition, { facts, book, courier, request }));
  }
  return played;
}

type Playing = {
  readonly facts: SuiteFacts;
  readonly book: BaselineBook;
  readonly courier: Courier;
  readonly request: TestRequest;
};

/** A source that dies half-way makes this trial inconclusive; so will the next ones be. */
async function playOrSay(
  definition: TrialDefinition,
  { facts, book, courier, request }: Playing,
): Promise<PlayedTrial> {
  const { id, title } = definition;
  const availability = definition.availability(facts);
  if (availability.kind === 'not-applicable')
    return { trial: { ...emptyTrial('not-applicable'), id, title, reason: availability.reason } };
  if (availability.kind === 'skip') {
    const { reason, needs } = availability;
    return { trial: { ...emptyTrial('skip'), id, title, reason, needs } };
  }
  courier.ports.listen({ kind: 'phase', phase: id, text: id, deliveries: 0 });
  try {
    const startedMs = courier.now();
    await bringBack(courier);
    const { trial: played, evidence } = await playTrial(definition, book, { courier, request });
    const trial = { ...withDeath(played, courier), durationMs: Math.round(courier.now() - startedMs) };
    courier.ports.listen({ kind: 'judged', trial });
    return { trial, evidence };
  } catch (error) {
    const reason = reasonOf(error);
    if (reason === undefined || courier.attempts() === 0) throw error;
    return { trial: { ...emptyTrial('inconclusive'), id, title, reason } };
  }
}

/** A receiver that ended by itself, and was blamed for it, must not spoil the next trial. */
async function bringBack({ ports: { receiver, listen } }: Courier): Promise<void> {
  if (!receiver?.death()) return;
  listen({ kind: 'warning', text: 'The receiver had ended by itself; it was started again.' });
  await receiver.restart();
}

/** It may have ended in the baseline, which has no acts to blame. */
function withDeath(trial: Trial, { ports: { receiver } }: Courier): Trial {
  const death = receiver?.death();
  if (!death || trial.findings.some(({ check }) => check === 'stays-alive')) return trial;
  return {
    ...trial,
    verdict: 'fail',
    reason: undefined,
    hits: Math.max(1, trial.hits),
    findings: [judgeDeath(death), ...trial.findings],
  };
}

/** Trouble that makes a trial inconclusive; `undefined` for what is no such thing. */
function reasonOf(error: unknown): string | undefined {
  if (error instanceof ProbeError) return `A source could not be read any more: ${messageOf(error)}`;
  if (error instanceof ReceiverLost) return `The receiver did not come back: ${messageOf(error)}`;
  return undefined;
}

function mayGoOn(played: readonly PlayedTrial[], { ports }: Courier, { bail }: TestRequest): boolean {
  return !ports.signal.aborted && !(bail && played.some(({ trial }) => trial.verdict === 'fail'));
}

type Facts = Pick<TestRequest, 'events' | 'hasSecret' | 'hasProcess' | 'hasInterception'>;

function factsOf({ events, hasSecret, hasProcess, hasInterception }: Facts): SuiteFacts {
  const materials = materialsOf(events);
  const [single] = materials.get('single') ?? [];
  return {
    provider: findProvider((single as WebhookEvent).provider),
    hasSecret,
    hasProcess,
    hasInterception,
    materials,
    canChange: (change) => single !== undefined && changeEvent(single, change) !== undefined,
  };
}
