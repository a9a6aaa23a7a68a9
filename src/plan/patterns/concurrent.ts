import { definePattern, parseCount } from '../pattern.ts';

export const concurrent = definePattern({
  name: 'concurrent',
  kind: 'multiply',
  summary: 'n equal deliveries of every event (2), released at the same moment',
  usage: 'concurrent[:n]',
  parse: parseCount({ pattern: 'concurrent', what: 'copies', min: 2, max: 1000, fallback: 2 }),
  apply: (draft, size) => ({
    ...draft,
    turns: draft.turns.map((turn) => ({ ...turn, copies: { kind: 'together', size } })),
  }),
});
