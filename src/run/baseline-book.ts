import { attemptLines } from '../judge/describe.ts';
import type { Attempt } from '../model/attempt.ts';
import type { WebhookEvent } from '../model/event.ts';
import type { Finding } from '../model/finding.ts';
import type { Plan } from '../model/plan.ts';
import type { MaterialKind } from '../suite/trial-definition.ts';
import { type Baseline, type KnownBaseline, takeBaseline } from './baseline.ts';
import { type Counted, countTurns } from './count-turns.ts';
import { type Courier, labelOf } from './courier.ts';
import { deliverRound, type RoundIdentity, refusedIn } from './deliver-round.ts';
import { type FirstContact, makeFirstContact } from './first-contact.ts';
import type { RunRequest } from './ports.ts';
import { planInOrder, withRetries } from './retries.ts';
import { type Family, NOTHING_OBSERVED } from './trial.ts';
import { explainNoEffect, explainRefusal } from './why-inconclusive.ts';

/** What a trial knows before it begins. */
export type Prepared = {
  readonly events: readonly WebhookEvent[];
  readonly payloads: readonly string[];
  readonly family: Family;
  /** Median of one delivery, milliseconds. */
  readonly latencyMs: number;
  /** How long after the answer the last effect came; 0 where it came with it. */
  readonly lateMs: number;
  /** Absent: effects cannot be judged, for this reason. */
  readonly baseline?: KnownBaseline | undefined;
  readonly reason?: string | undefined;
  /** Set when the baseline showed that distinct events are taken for one. */
  readonly dropped?: Finding | undefined;
  /** True when right deliveries are not taken: then answers cannot be judged either. */
  readonly isRefused: boolean;
};

/** Takes the baseline of each material once, when it is first asked for. */
export type BaselineBook = {
  readonly of: (material: MaterialKind) => Promise<Prepared>;
  /** Some baseline that is known, for the report. */
  readonly known: () => KnownBaseline | undefined;
  /** Absent without a source. */
  readonly firstContact: () => Promise<FirstContact | undefined>;
  /** What the receiver says to its dependencies for the single event. Counted once; only with interception. */
  readonly turns: () => Promise<Counted>;
};

type Cast = { readonly family: Family; readonly materials: ReadonlyMap<MaterialKind, readonly WebhookEvent[]> };

export function createBaselineBook(cast: Cast, courier: Courier, request: RunRequest): BaselineBook {
  const taken = new Map<MaterialKind, Prepared>();
  let contact: FirstContact | undefined;
  const meet = async () => {
    if (!courier.ports.observer || contact) return contact;
    const page = openPage('single', cast, { courier, request });
    contact = await makeFirstContact({ ...page, identity: page.identity('contact') }, courier, request);
    return contact;
  };
  let counted: Counted | undefined;
  const book: BaselineBook = {
    of: async (material) => {
      const known = taken.get(material);
      if (known) return known;
      const page = openPage(material, cast, { courier, request });
      const met = await meet();
      const prepared = met ? await withEffects(page, met) : await withoutEffects(page);
      taken.set(material, prepared);
      return prepared;
    },
    known: () => [...taken.values()].map(({ baseline }) => baseline).find((baseline) => baseline !== undefined),
    firstContact: meet,
    turns: async () => {
      if (counted) return counted;
      const { events, family, lateMs } = await book.of('single');
      const identity = (round: string) => family.identity(`single.${round}`);
      counted = await countTurns({ event: events[0] as WebhookEvent, identity, lateMs }, courier, request);
      return counted;
    },
  };
  return book;
}

/** What is seen sooner may have come with the answer: sources are looked at now and then. */
const SURELY_LATE_MS = 100;

function lateMsOf({ slowestMs }: KnownBaseline): number {
  return slowestMs > SURELY_LATE_MS ? slowestMs : 0;
}

/** One material's part of the book. */
type Page = Asked & {
  readonly events: readonly WebhookEvent[];
  readonly payloads: readonly string[];
  readonly family: Family;
  readonly plan: Plan;
  readonly identity: (round: string) => RoundIdentity;
};

type Asked = { readonly courier: Courier; readonly request: RunRequest };

function openPage(material: MaterialKind, { family, materials }: Cast, { courier, request }: Asked): Page {
  const events = materials.get(material) ?? [];
  return {
    courier,
    request: { ...request, events },
    events,
    payloads: events.map(({ payload }) => Buffer.from(payload).toString('latin1')),
    family,
    plan: withRetries(planInOrder(request, events), (event) => courier.event(event).provider),
    identity: (round) => family.identity(`${material}.${round}`),
  };
}

async function withEffects(page: Page, contact: FirstContact): Promise<Prepared> {
  const baseline = await takeBaseline(page, page.courier, page.request);
  if (baseline.kind !== 'known') {
    const isRefused = baseline.kind === 'refused';
    return {
      ...blank(page),
      reason: await reasonOf(baseline, page),
      isRefused,
      dropped: droppedIn(baseline, contact, page),
    };
  }
  const latencyMs = latencyOf(baseline.stretches.flatMap(({ attempts }) => attempts));
  return { ...blank(page), baseline, latencyMs, lateMs: lateMsOf(baseline) };
}

/** One delivery shows whether right ones are taken, and how fast. */
async function withoutEffects(page: Page): Promise<Prepared> {
  const { attempts } = await deliverRound({ plan: page.plan, identities: [page.identity('contact')] }, page.courier);
  const refused = refusedIn(attempts);
  if (refused.length > 0) return { ...blank(page), isRefused: true, reason: explainRefusal(refused, page) };
  return { ...blank(page), latencyMs: latencyOf(attempts), reason: NOTHING_OBSERVED };
}

/** The first of two events that differ in their ids only had effects, and the second had none. */
function droppedIn(baseline: Baseline, contact: FirstContact, { events }: Page): Finding | undefined {
  if (baseline.kind !== 'no-effect' || !(contact.hadEffects || baseline.number > 1)) return undefined;
  const [event] = events;
  return {
    check: 'no-lost-effect',
    title: 'A second event that differs from the first in its ids only had no effect',
    event: event && labelOf(event),
    expected: 'the effects of the first, once more',
    actual: 'no effect, although it was acknowledged',
    evidence: attemptLines(baseline.attempts),
    hint: 'The guard knows events by something that different events share: their content, an amount, a type. Key on the event id. If it is right to take them for one, because of a business key that was not renewed, name that with --fresh POINTER.',
  };
}

function blank({ events, payloads, family }: Page): Prepared {
  return { events, payloads, family, latencyMs: 0, lateMs: 0, isRefused: false };
}

async function reasonOf(baseline: Exclude<Baseline, KnownBaseline>, page: Page): Promise<string> {
  switch (baseline.kind) {
    case 'refused':
      return explainRefusal(baseline.attempts, page);
    case 'no-effect':
      return explainNoEffect(baseline.number, page);
    case 'unstable':
      return baseline.reason;
    case 'interrupted':
      return 'Interrupted before the baseline was known.';
  }
}

function latencyOf(attempts: readonly Attempt[]): number {
  const taken = attempts.map(({ times }) => times.doneMs - times.sentMs).sort((a, b) => a - b);
  return taken[Math.floor(taken.length / 2)] ?? 0;
}
