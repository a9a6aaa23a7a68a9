import { definePattern, parseCount } from '../pattern.ts';

export const duplicate = definePattern({
  name: 'duplicate',
  kind: 'multiply',
  summary: 'every event n times in all (2), each copy after the answer to the one before, as the provider redelivers',
  usage: 'duplicate[:n]',
  parse: parseCount({ pattern: 'duplicate', what: 'copies', min: 2, max: 1000, fallback: 2 }),
  apply: (draft, copies) => {
    const gapsMs = Array.from({ length: copies - 1 }, () => 0);
    return { ...draft, turns: draft.turns.map((turn) => ({ ...turn, copies: { kind: 'chain', gapsMs } })) };
  },
});
