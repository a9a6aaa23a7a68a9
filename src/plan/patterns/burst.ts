import { compress, definePattern, type PatternContext, parseCount } from '../pattern.ts';

/** Real time is not slept away: the provider's own delays, divided by the speed, are kept whatever is answered. */
export const burst = definePattern({
  name: 'burst',
  kind: 'multiply',
  summary: "a storm: every event and n retries of it (40) by the provider's delays, compressed, whatever is answered",
  usage: 'burst[:retries]',
  parse: parseCount({ pattern: 'burst', what: 'retries', min: 1, max: 10_000, fallback: 40 }),
  apply: (draft, retries, context) => {
    const offsets = new Map<string, readonly number[]>();
    const offsetsOf = (provider: string) => {
      const known = offsets.get(provider) ?? stormOffsets(provider, retries, context);
      offsets.set(provider, known);
      return known;
    };
    const turns = draft.turns.map((turn) => ({
      ...turn,
      copies: { kind: 'offsets', atMs: offsetsOf(turn.event.provider) } as const,
    }));
    return { ...draft, turns };
  },
});

/** A list shorter than the storm goes on with its last delay. */
function stormOffsets(provider: string, retries: number, { retryPlanOf, speed }: PatternContext): readonly number[] {
  const { delaysMs } = retryPlanOf(provider);
  const offsets = [0];
  let atMs = 0;
  for (let retry = 0; retry < retries; retry++) {
    atMs += delaysMs[retry] ?? delaysMs.at(-1) ?? 0;
    offsets.push(compress(atMs, speed));
  }
  return offsets;
}
