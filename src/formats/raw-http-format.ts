import { UserError } from '../support/errors.ts';
import type { Format } from './format.ts';
import { looksLikeRawHttp, parseRawHttp } from './raw-http.ts';

export const rawHttp: Format = {
  id: 'http',
  title: 'one raw HTTP request, as on the wire',
  recognises: looksLikeRawHttp,
  parse: (bytes, { name }) => {
    try {
      return [{ ...parseRawHttp(bytes), tags: [], marks: [] }];
    } catch (error) {
      if (!(error instanceof UserError)) throw error;
      throw new UserError(error.code, `${name}: ${error.message}`, { hint: error.hint });
    }
  },
};
