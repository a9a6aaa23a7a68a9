import { parseDuration } from '../../support/duration.ts';
import type { Random } from '../../support/random.ts';
import type { Draft, Turn } from '../draft.ts';
import { badArgument, definePattern } from '../pattern.ts';

/** Milliseconds; equal bounds are a fixed delay. */
type DelayOptions = { readonly minMs: number; readonly maxMs: number };

/**
 * With copies that follow each other, the copies come late and newer events do not wait for them, as when a provider
 * redelivers. Without, every event comes so long after the answer to the one before it; a single event so long after the start.
 */
export const delay = definePattern<DelayOptions>({
  name: 'delay',
  kind: 'time',
  summary: 'each delivery a while after the answer to the one before; with duplicate, each copy',
  usage: 'delay:time or delay:from..to',
  parse: parseDelay,
  apply: (draft, options, { random }) => {
    const draw = () => drawDelay(options, random);
    return draft.turns.some(hasChainedCopies) ? delayCopies(draft, draw) : delayTurns(draft, draw);
  },
});

function parseDelay(argument: string | undefined): DelayOptions {
  const takes = 'delay:2s, or delay:100ms..2s for a time drawn from the seed';
  if (!argument) throw badArgument('The pattern "delay" needs to know how long.', takes);
  const [from = '', to = from, ...more] = argument.split('..');
  const minMs = parseDuration(from, '--pattern delay');
  const maxMs = parseDuration(to, '--pattern delay');
  if (more.length > 0) throw badArgument(`"${argument}" has more than two ends (--pattern delay).`, takes);
  if (minMs > maxMs) throw badArgument(`"${argument}" ends before it begins (--pattern delay).`, takes);
  return { minMs, maxMs };
}

function drawDelay({ minMs, maxMs }: DelayOptions, random: Random): number {
  return minMs === maxMs ? minMs : random.int(Math.ceil(minMs), Math.max(Math.ceil(minMs), Math.floor(maxMs)));
}

function hasChainedCopies({ copies }: Turn): boolean {
  return copies.kind === 'chain' && copies.gapsMs.length > 0;
}

function delayCopies(draft: Draft, draw: () => number): Draft {
  const turns = draft.turns.map((turn) => {
    if (turn.copies.kind !== 'chain') return turn;
    return { ...turn, copies: { ...turn.copies, gapsMs: turn.copies.gapsMs.map((gap) => gap + draw()) } };
  });
  return { ...draft, turns };
}

function delayTurns(draft: Draft, draw: () => number): Draft {
  const single = draft.turns.length === 1;
  const turns = draft.turns.map((turn, index) => (index === 0 && !single ? turn : { ...turn, waitMs: draw() }));
  return { ...draft, turns, strict: true };
}
