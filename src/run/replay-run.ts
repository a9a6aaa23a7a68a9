import { deliveriesIn, type Plan } from '../model/plan.ts';
import type { Run } from '../model/run.ts';
import { prepareFamily } from '../mutate/prepare-family.ts';
import { makePlan } from '../plan/make-plan.ts';
import { findProvider } from '../providers/list.ts';
import { retryPlanOf } from '../providers/retry-plan.ts';
import { isoTime } from '../support/clock.ts';
import { uniqueId } from '../support/random.ts';
import { answersTrial } from './answers-trial.ts';
import { assumptionsOf } from './assumptions.ts';
import { createCourier } from './courier.ts';
import { effectsTrial } from './effects-trial.ts';
import { keepRun } from './keep-run.ts';
import type { ReplayRequest, RunPorts } from './ports.ts';
import { roundsOf } from './rounds.ts';
import { verdictOf } from './verdict-of.ts';

/**
 * One replay, from chosen events to a verdict.
 *
 * 1. plan      events, pattern, seed -> plan
 * 2. identify  events -> fresh ids for each round
 * 3. baseline  each event once, in order, twice: what should happen, and what is noise   (with a source)
 * 4. deliver   plan -> attempts, each signed at the moment it goes out
 * 5. observe   wait until quiet -> effects                                               (with a source)
 * 6. judge     evidence -> findings, verdict
 * 7. keep      run -> corpus
 */
export async function replayRun(request: ReplayRequest, ports: RunPorts): Promise<Run> {
  const id = uniqueId(6);
  const startedMs = ports.clock.now();
  const startedAt = isoTime(ports.clock.epochMs());
  const courier = createCourier(id, { request, keepAttempts: ports.observer !== undefined }, ports);
  const plan = planOf(request);
  const family = prepareFamily(request.events, {
    seed: request.seed,
    nonce: request.nonce,
    fresh: request.freshPointers,
    keep: request.keepPointers,
  });
  ports.listen({ kind: 'selected', events: request.events.length, to: request.to });
  const rounds = roundsOf(plan, request, ports.observer ? 'by-effects' : 'by-answers');
  ports.listen({ kind: 'planned', plan, rounds });
  const judged = ports.observer
    ? await effectsTrial({ plan, family, request, courier })
    : await answersTrial({ plan, family, request, courier });
  courier.flush();
  const assumptions = assumptionsOf(plan, request.events);
  const notes = [...judged.trial.notes, ...assumptions];
  const durationMs = Math.round(ports.clock.now() - startedMs);
  const trials = [{ ...judged.trial, notes, durationMs }];
  const run: Run = {
    id,
    command: 'replay',
    startedAt,
    durationMs,
    seed: request.seed,
    nonce: request.nonce,
    request: request.stored,
    receiver: { url: request.to },
    plan,
    effects: judged.sources,
    counts: { events: request.events.length, attempts: courier.attempts(), planned: deliveriesIn(plan).length },
    trials,
    verdict: verdictOf(trials),
    interrupted: ports.signal.aborted,
    inFlight: courier.inFlight(),
  };
  keepRun(run, { events: request.events, evidence: [judged.evidence], assumptions }, ports);
  ports.listen({ kind: 'finished', run });
  return run;
}

/** Pure: what a dry run prints and a real one carries out. */
export function planOf(
  request: Pick<ReplayRequest, 'events' | 'pattern' | 'seed' | 'ordered' | 'concurrency' | 'speed'>,
): Plan {
  return makePlan({
    ...request,
    retryPlanOf: (provider) => {
      const { delaysMs, assumed } = retryPlanOf(findProvider(provider));
      return { delaysMs, assumed: assumed.includes('delays') };
    },
  });
}
