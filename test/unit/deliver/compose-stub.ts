import type { ExecutePorts } from '../../../src/deliver/execute-plan.ts';

/** Makes requests whose target says which attempt of which step they are: `/s1/2`. */
export function composeWith(timeoutMs: number): ExecutePorts['compose'] {
  return ({ id }, attempt) => ({
    timeoutMs,
    request: {
      method: 'POST',
      url: new URL('http://localhost'),
      target: `/${id}/${attempt}`,
      headers: [],
      payload: new Uint8Array(),
    },
  });
}
