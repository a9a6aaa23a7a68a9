import { UserError } from '../support/errors.ts';
import { problemOf } from './check-request.ts';
import type { Format } from './format.ts';

/** A file that is a payload and nothing else: it is recognised by being nothing else. */
export const body: Format = {
  id: 'body',
  title: 'a bare body; -H, --method and --path say the rest',
  recognises: () => false,
  parse: (bytes, { name, method = 'POST', path: target = '/' }) => {
    const [, path = '/', query = null] = /^([^?]*)(?:\?(.*))?$/s.exec(target) ?? [];
    const request = { method, path: path || '/', query, headers: [] };
    const problem = problemOf(request);
    if (problem) throw new UserError('BAD_REQUEST', `${name}: ${problem}.`);
    return [{ ...request, payload: new Uint8Array(bytes), tags: [], marks: [] }];
  },
};
