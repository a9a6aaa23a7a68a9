import { definePattern, parseNothing } from '../pattern.ts';

export const once = definePattern({
  name: 'once',
  kind: 'none',
  summary: 'every event once, in order; events of different resources side by side',
  usage: 'once',
  parse: parseNothing('once'),
  apply: (draft) => draft,
});
