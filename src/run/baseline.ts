import type { Stretch } from '../judge/evidence.ts';
import { agree, disagreements } from '../judge/judge.ts';
import type { Attempt } from '../model/attempt.ts';
import type { Plan } from '../model/plan.ts';
import { formatDuration } from '../support/duration.ts';
import type { Courier } from './courier.ts';
import { type RoundIdentity, refusedIn } from './deliver-round.ts';
import type { RunRequest } from './ports.ts';
import { type Observed, observeStretch } from './stretch.ts';

export type KnownBaseline = {
  readonly kind: 'known';
  readonly stretches: readonly [Stretch, Stretch];
  /** How long all must be quiet before a trial is believed: never less than three times the slowest effect. */
  readonly quietMs: number;
  /** From the last answer to the last effect. */
  readonly slowestMs: number;
  readonly moved: ReadonlySet<string>;
};

/** Two runs of the same events that agree, or why there are none. */
export type Baseline =
  | KnownBaseline
  | { readonly kind: 'refused'; readonly attempts: readonly Attempt[] }
  /** `number` 1: nothing was ever seen; more: the first time had effects and a later one had none. */
  | { readonly kind: 'no-effect'; readonly number: number; readonly attempts: readonly Attempt[] }
  /** `seen` is the last of them. */
  | { readonly kind: 'unstable'; readonly reason: string; readonly seen: Stretch | undefined }
  | { readonly kind: 'interrupted' };

/** The first may see what exists once only (a counter's row), or too little of a slow effect; later ones make up for it. */
const MOST_BASELINES = 5;
const QUIET_FACTOR = 3;

export type BaselineRequest = {
  /** Each event once, in order, retried until it is taken. */
  readonly plan: Plan;
  readonly identity: (round: string) => RoundIdentity;
  readonly payloads: readonly string[];
};

/** Delivers the events once each, in order, until two runs in a row show the same changes. */
export async function takeBaseline(wanted: BaselineRequest, courier: Courier, request: RunRequest): Promise<Baseline> {
  const all: Observed[] = [];
  let quietMs = request.settleMs;
  let differing: readonly string[] = [];
  for (let number = 1; number <= MOST_BASELINES; number++) {
    const round = `baseline-${number}`;
    courier.ports.listen({
      kind: 'phase',
      phase: round,
      text: textOf(number, request),
      deliveries: wanted.plan.steps.length,
    });
    const firstMs = number === 1 ? request.settleFirstMs : 0;
    const settle = { quietMs, maxMs: request.settleMaxMs, firstMs };
    const observed = await observeStretch(
      { rounds: [{ plan: wanted.plan, identities: [wanted.identity(round)] }], settle },
      courier,
      request,
    );
    if (courier.ports.signal.aborted) return { kind: 'interrupted' };
    const refused = refusedIn(observed.stretch.attempts);
    if (refused.length > 0) return { kind: 'refused', attempts: refused };
    if (!observed.stretch.quiet)
      return { kind: 'unstable', reason: whyRestless(observed.stretch, request), seen: observed.stretch };
    if (observed.stretch.effects.length === 0)
      return { kind: 'no-effect', number, attempts: observed.stretch.attempts };
    quietMs = Math.max(quietMs, Math.min(request.settleMaxMs, QUIET_FACTOR * observed.slowestMs));
    const before = all.at(-1);
    all.push(observed);
    if (!before) continue;
    const pair = [before.stretch, observed.stretch, wanted.payloads] as const;
    differing = disagreements(...pair);
    if (areEnough(number, pair)) {
      const moved = new Set([...before.moved, ...observed.moved]);
      const slowestMs = Math.max(before.slowestMs, observed.slowestMs);
      return { kind: 'known', stretches: [before.stretch, observed.stretch], quietMs, slowestMs, moved };
    }
  }
  return { kind: 'unstable', reason: whyUnstable(differing), seen: all.at(-1)?.stretch };
}

/** The first may be a beginning (a total that was NULL), and more than its structure must come again; what differs between later ones is noise. */
function areEnough(number: number, pair: readonly [Stretch, Stretch, readonly string[]]): boolean {
  return number === 2 ? agree(...pair) : disagreements(...pair).length === 0;
}

function textOf(number: number, { identities }: RunRequest): string {
  const ids = identities === 'fresh' ? 'ids of its own' : 'its captured ids';
  if (number === 1) return `Baseline: each event once, in order, with ${ids}`;
  return number === 2 ? 'Baseline again: what differs is noise' : 'Baseline again: the last two did not agree';
}

function whyRestless({ restless = [] }: Stretch, { settleMaxMs }: RunRequest): string {
  const names = restless.map((name) => `"${name}"`).join(' and ') || 'A source';
  return `The effects of the baseline did not come to rest within ${formatDuration(settleMaxMs)} (--settle-max): ${names} went on changing. Raise it for slow effects; of a source that changes by itself, observe only the part that tells of the event.`;
}

function whyUnstable(differing: readonly string[]): string {
  return `The same events, delivered once each, had other effects each time (${differing.join('; ')}). Raise --settle for slow effects, or --ignore what changes by itself.`;
}
