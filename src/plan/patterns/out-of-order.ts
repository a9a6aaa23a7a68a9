import { UserError } from '../../support/errors.ts';
import { nearest } from '../../support/nearest.ts';
import { pushTo } from '../../support/push-to.ts';
import type { Random } from '../../support/random.ts';
import { laneOf, type Turn } from '../draft.ts';
import { badArgument, definePattern } from '../pattern.ts';

const ORDERS = ['reverse', 'shuffle', 'swap'] as const;

type Order = (typeof ORDERS)[number];

/**
 * Moves whole turns: an event's copies stay together. Each delivery waits for the answer to the one before it, since an
 * order that the network may undo proves nothing; pauses stay where they are while the events change places.
 */
export const outOfOrder = definePattern<Order>({
  name: 'out-of-order',
  kind: 'order',
  summary: 'newer events before older ones: reversed, shuffled by the seed, or neighbours swapped',
  usage: 'out-of-order[:reverse|shuffle|swap]',
  parse: parseOrder,
  apply: (draft, order, { random }) => {
    const { turns } = draft;
    if (turns.length < 2) throw nothingToReorder(turns.length);
    const moved = reorder(turns, order, random);
    return {
      turns: moved.map((turn, position) => ({ ...turn, waitMs: turns[position]?.waitMs ?? 0 })),
      strict: true,
      reordered: true,
    };
  },
});

function parseOrder(argument = 'reverse'): Order {
  const order = ORDERS.find((name) => name === argument);
  if (order) return order;
  const meant = nearest(argument, ORDERS);
  throw badArgument(
    `"${argument}" is not an order for the pattern "out-of-order".${meant ? ` Did you mean "${meant}"?` : ''}`,
    'out-of-order:reverse, out-of-order:shuffle or out-of-order:swap',
  );
}

function nothingToReorder(count: number): UserError {
  const selected = count === 1 ? 'a single event was' : 'no event was';
  return new UserError('NOTHING_TO_REORDER', `There is nothing to put out of order: ${selected} selected.`, {
    hint: 'Select two events or more of one resource, for example --event last:2.',
  });
}

function reorder(turns: readonly Turn[], order: Order, random: Random): readonly Turn[] {
  if (order === 'reverse') return turns.toReversed();
  const lanes = lanesToReorder(turns);
  if (order === 'swap') return lanes.reduce<Turn[]>((moved, lane) => swapNeighbours(moved, lane), [...turns]);
  return shuffleAll(turns, lanes, random);
}

/** Positions of the events of each resource that has two or more; when none has, of all events. */
function lanesToReorder(turns: readonly Turn[]): ReadonlyArray<readonly number[]> {
  const lanes = new Map<string | undefined, number[]>();
  for (const [position, { event }] of turns.entries()) pushTo(lanes, laneOf(event), position);
  const long = [...lanes.values()].filter((lane) => lane.length > 1);
  return long.length > 0 ? long : [turns.map((_, position) => position)];
}

/** An odd last one stays. Changes the list in place. */
function swapNeighbours(turns: Turn[], lane: readonly number[]): Turn[] {
  for (let i = 0; i + 1 < lane.length; i += 2) {
    const [a, b] = [lane[i] as number, lane[i + 1] as number];
    [turns[a], turns[b]] = [turns[b] as Turn, turns[a] as Turn];
  }
  return turns;
}

/** Chance may leave a resource's events in their order; those are turned by some places, so that every shuffle is one. */
function shuffleAll(turns: readonly Turn[], lanes: ReadonlyArray<readonly number[]>, random: Random): readonly Turn[] {
  const from = random.shuffle(turns.map((_, position) => position));
  const placeOf: number[] = [];
  for (const [place, position] of from.entries()) placeOf[position] = place;
  for (const lane of lanes) {
    const places = lane.map((position) => placeOf[position] as number);
    if (places.some((place, index) => index > 0 && place < (places[index - 1] as number))) continue;
    const turnBy = random.int(1, lane.length - 1);
    for (const [index, place] of places.entries()) from[place] = lane[(index + turnBy) % lane.length] as number;
  }
  return from.map((position) => turns[position] as Turn);
}
