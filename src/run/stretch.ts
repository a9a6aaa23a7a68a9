import type { Stretch } from '../judge/evidence.ts';
import { applyIgnore } from '../judge/ignore.ts';
import { isAcknowledged } from '../model/attempt.ts';
import type { Observation, Observer, SettleOptions } from '../model/effect.ts';
import type { Execution } from '../model/execution.ts';
import { formatDuration } from '../support/duration.ts';
import type { Courier } from './courier.ts';
import { type DeliveredRound, deliverPrepared, prepareRound, type RoundRequest, type Struck } from './deliver-round.ts';
import type { RunRequest } from './ports.ts';

/** A stretch with what else its deliveries told. */
export type Observed = {
  readonly stretch: Stretch;
  readonly executions: readonly Execution[];
  readonly strikes: readonly Struck[];
  /** From the last answer to the last change, over all sources; 0 when all had changed by then. */
  readonly slowestMs: number;
  /** Sources that changed, by name. */
  readonly moved: ReadonlySet<string>;
};

export type StretchRequest = {
  readonly rounds: readonly RoundRequest[];
  readonly settle: Pick<SettleOptions, 'quietMs' | 'maxMs' | 'firstMs'>;
};
/** A shorter wait needs no words. */
const WORTH_TELLING_MS = 2000;

/** Prepares all rounds, reads the sources, delivers round after round, and waits until all is quiet. */
export async function observeStretch(wanted: StretchRequest, courier: Courier, request: RunRequest): Promise<Observed> {
  const observer = courier.ports.observer as Observer;
  for (const round of wanted.rounds) await prepareRound(round, courier);
  await observer.begin();
  const fromEpochMs = courier.ports.clock.epochMs();
  const rounds: DeliveredRound[] = [];
  for (const round of wanted.rounds) {
    if (courier.ports.signal.aborted) break;
    rounds.push(await deliverPrepared(round, courier));
  }
  return settleStretch({ rounds, fromEpochMs, settle: wanted.settle }, courier, request);
}

type Delivered = {
  readonly rounds: readonly DeliveredRound[];
  readonly fromEpochMs: number;
  readonly settle: StretchRequest['settle'];
};

async function settleStretch(
  { rounds, fromEpochMs, settle }: Delivered,
  courier: Courier,
  request: RunRequest,
): Promise<Observed> {
  const { clock, signal, observer } = courier.ports;
  const answeredMs = clock.now();
  if (settle.quietMs >= WORTH_TELLING_MS) {
    const text = `Waiting until nothing has changed for ${formatDuration(settle.quietMs)}: effects came late before.`;
    courier.ports.listen({ kind: 'waiting', text });
  }
  // Where nothing was taken there is no first effect to wait for.
  const wasTaken = rounds.some(({ attempts }) => attempts.some(({ outcome }) => isAcknowledged(outcome)));
  const firstMs = wasTaken ? settle.firstMs : 0;
  const seen = await (observer as Observer).settle({ ...settle, firstMs, signal });
  const lastChanges = Object.values(seen.lastChangeMs);
  return {
    stretch: {
      rounds: rounds.flatMap(({ evidence }) => evidence),
      attempts: rounds.flatMap(({ attempts }) => attempts),
      effects: applyIgnore(seen.effects, request.ignore),
      quiet: seen.quiet,
      restless: seen.quiet ? [] : restlessIn(seen, clock.now() - settle.quietMs),
      fromEpochMs,
      toEpochMs: clock.epochMs(),
    },
    executions: rounds.map(({ execution }) => execution),
    strikes: rounds.flatMap(({ strikes }) => strikes),
    slowestMs: Math.max(0, ...lastChanges.map((changedMs) => changedMs - answeredMs)),
    moved: new Set(Object.keys(seen.lastChangeMs)),
  };
}

function restlessIn({ lastChangeMs }: Observation, sinceMs: number): readonly string[] {
  return Object.entries(lastChangeMs).flatMap(([name, changedMs]) => (changedMs > sinceMs ? [name] : []));
}

/** Waits again, for effects that may only be late, and returns the stretch with all that came since its beginning. */
export async function waitLonger(
  observed: Observed,
  settle: StretchRequest['settle'],
  { courier, request }: { readonly courier: Courier; readonly request: RunRequest },
): Promise<Observed> {
  const { clock, signal, observer } = courier.ports;
  const seen = await (observer as Observer).settle({ ...settle, signal });
  const stretch = {
    ...observed.stretch,
    effects: applyIgnore(seen.effects, request.ignore),
    quiet: seen.quiet,
    toEpochMs: clock.epochMs(),
  };
  return { ...observed, stretch };
}
