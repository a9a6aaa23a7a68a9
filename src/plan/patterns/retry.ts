import type { Repeat } from '../../model/plan.ts';
import { compress, definePattern, type PatternContext, parseNothing } from '../pattern.ts';

export const retry = definePattern({
  name: 'retry',
  kind: 'repeat',
  summary: "every refused or unanswered delivery again until a 2xx, by the provider's delays, compressed",
  usage: 'retry',
  parse: parseNothing('retry'),
  apply: (draft, _, context) => {
    const repeats = new Map<string, Repeat>();
    const repeatOf = (provider: string) => {
      const known = repeats.get(provider) ?? providerRepeat(provider, context);
      repeats.set(provider, known);
      return known;
    };
    return { ...draft, turns: draft.turns.map((turn) => ({ ...turn, repeat: repeatOf(turn.event.provider) })) };
  },
});

function providerRepeat(provider: string, { retryPlanOf, speed }: PatternContext): Repeat {
  const { delaysMs, assumed } = retryPlanOf(provider);
  return { kind: 'until-2xx', delaysMs: delaysMs.map((delay) => compress(delay, speed)), assumed };
}
