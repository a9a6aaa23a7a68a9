import type { Repeat } from '../model/plan.ts';

/** What a plan needs to know of an event. */
export type PlanEvent = {
  /** Unique among the plan's events. */
  readonly id: string;
  /** The provider's `id`: retries follow its rules. */
  readonly provider: string;
  /** Events of one provider and resource have an order. */
  readonly resource?: string | undefined;
};

/**
 * How often one event arrives, and how its deliveries lie to each other.
 * `chain`: one after the other's answer; `gapsMs[n]` is waited before copy n + 2, so that `[]` is once.
 * `together`: `size` equal deliveries released in one turn of the event loop.
 * `offsets`: at these times from the plan's start, whatever is answered.
 */
export type Copies =
  | { readonly kind: 'chain'; readonly gapsMs: readonly number[] }
  | { readonly kind: 'together'; readonly size: number }
  | { readonly kind: 'offsets'; readonly atMs: readonly number[] };

/** Everything that is planned for one event. */
export type Turn = {
  readonly event: PlanEvent;
  /** Waited before the turn, counted from the answer it follows. */
  readonly waitMs: number;
  readonly copies: Copies;
  readonly repeat: Repeat;
};

/** A plan before its steps get ids and starts: what patterns work on. */
export type Draft = {
  /** In the order in which they begin. */
  readonly turns: readonly Turn[];
  /** True: every delivery waits for the answer to the one before it, whatever their resources. */
  readonly strict: boolean;
  /** True: turns of one resource are not in the selection's order. */
  readonly reordered: boolean;
};

/** Where every plan begins: each event once, in the selection's order. */
export function draftOf(events: readonly PlanEvent[], strict: boolean): Draft {
  const turns = events.map((event) => ({ event, waitMs: 0, copies: ONCE, repeat: NO_REPEAT }));
  return { turns, strict, reordered: false };
}

export function deliveriesOf({ copies }: Turn): number {
  switch (copies.kind) {
    case 'chain':
      return copies.gapsMs.length + 1;
    case 'together':
      return copies.size;
    case 'offsets':
      return copies.atMs.length;
  }
}

/** Events with the same lane are of one resource; `undefined` is an event that names none. */
export function laneOf({ provider, resource }: PlanEvent): string | undefined {
  return resource === undefined ? undefined : `${provider}\n${resource}`;
}

const ONCE: Copies = { kind: 'chain', gapsMs: [] };
const NO_REPEAT: Repeat = { kind: 'once' };
