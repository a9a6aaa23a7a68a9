import type { DeliveryPlan, DeliveryStep, Start } from '../model/plan.ts';
import { type Draft, laneOf, type Turn } from './draft.ts';

/** A step before it has an id. `earliestMs` is its offset if every answer came at once. */
type Node = {
  readonly turn: Turn;
  readonly copy: number;
  readonly as: 'same' | 'redelivery';
  readonly group: string | undefined;
  readonly follows: Node | undefined;
  readonly delayMs: number;
  readonly earliestMs: number;
  id: string;
};

type Scheduled = Pick<DeliveryPlan, 'steps' | 'reorders'>;

/**
 * Gives a draft its starts and ids. Turns of one resource follow each other, turns of different resources (and of none)
 * run side by side; in a strict draft every delivery follows the one before it.
 * Ids are `s1`, `s2`, ... in sending order, so that a step only ever follows an earlier one.
 */
export function schedule(draft: Draft): Scheduled {
  const { nodes, overtaken } = layOut(draft);
  const sorted = nodes.toSorted((a, b) => a.earliestMs - b.earliestMs);
  for (const [index, node] of sorted.entries()) node.id = `s${index + 1}`;
  return { steps: sorted.map(toStep), reorders: draft.reordered || overtaken };
}

/** `overtaken`: some delivery may arrive after a newer event of its resource was delivered. */
function layOut({ turns, strict }: Draft): { readonly nodes: Node[]; readonly overtaken: boolean } {
  const nodes: Node[] = [];
  const tails = new Map<string, { readonly tail: Node; readonly overtakable: boolean }>();
  let groups = 0;
  let overtaken = false;
  for (const turn of turns) {
    const lane = strict ? EVERY_TURN : laneOf(turn.event);
    const before = lane === undefined ? undefined : tails.get(lane);
    const group = turn.copies.kind === 'together' ? `g${++groups}` : undefined;
    const first = nodes.length;
    nodes.push(...nodesOf(turn, before?.tail, group));
    overtaken ||= before?.overtakable ?? false;
    if (lane !== undefined) tails.set(lane, laneEnd(nodes.slice(first), turn, strict));
  }
  return { nodes, overtaken };
}

const EVERY_TURN = '';

function nodesOf(turn: Turn, before: Node | undefined, group: string | undefined): Node[] {
  const { copies } = turn;
  const follow = (follows: Node | undefined, delayMs: number, copy: number): Node => {
    const as = copy > 1 && copies.kind !== 'together' ? 'redelivery' : 'same';
    return { turn, copy, as, group, follows, delayMs, earliestMs: (follows?.earliestMs ?? 0) + delayMs, id: '' };
  };
  switch (copies.kind) {
    case 'chain': {
      const chain = [follow(before, turn.waitMs, 1)];
      for (const gapMs of copies.gapsMs) chain.push(follow(chain.at(-1), gapMs, chain.length + 1));
      return chain;
    }
    case 'together':
      return Array.from({ length: copies.size }, (_, index) => follow(before, turn.waitMs, index + 1));
    case 'offsets':
      return copies.atMs.map((atMs, index) => follow(undefined, atMs, index + 1));
  }
}

/** Newer events wait for a turn's last delivery, but not for copies that come late: no provider holds events back for those. */
function laneEnd(nodes: readonly Node[], { copies }: Turn, strict: boolean) {
  const last = nodes.at(-1) as Node;
  if (copies.kind === 'offsets') return { tail: last, overtakable: true };
  const late = copies.kind === 'chain' && !strict ? copies.gapsMs.findIndex((gapMs) => gapMs > 0) : -1;
  return late < 0 ? { tail: last, overtakable: false } : { tail: nodes[late] as Node, overtakable: true };
}

function toStep({ id, turn, copy, as, group, follows, delayMs }: Node): DeliveryStep {
  const start: Start = follows
    ? { kind: 'after', step: follows.id, moment: 'answered', delayMs }
    : { kind: 'at', atMs: delayMs };
  const delivery = { event: turn.event.id, copy, as, ...(group === undefined ? {} : { group }), repeat: turn.repeat };
  return { id, start, delivery };
}
