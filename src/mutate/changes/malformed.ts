import type { Change } from './change.ts';
import { bytesOf, latin1Of } from './json-layout.ts';

const DEPTH = 10_000;

/** Bodies that no receiver can take for an event; all signed right. */
export const MALFORMED: readonly Change[] = [
  {
    id: 'cut',
    summary: 'JSON that breaks off in the middle',
    apply: ({ payload }) => ({
      payload: bytesOf(latin1Of(payload).slice(0, Math.max(1, Math.floor(payload.length / 2)))),
    }),
  },
  { id: 'empty', summary: 'an empty body', apply: () => ({ payload: new Uint8Array() }) },
  { id: 'wrong-type', summary: 'JSON that is a list of numbers', apply: () => ({ payload: bytesOf('[1,2,3]') }) },
  {
    id: 'deep',
    summary: `lists nested ${DEPTH} deep`,
    apply: () => ({ payload: bytesOf(`${'['.repeat(DEPTH)}${']'.repeat(DEPTH)}`) }),
  },
];
