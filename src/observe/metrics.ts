import { UserError } from '../support/errors.ts';
import { globPattern } from '../support/glob.ts';
import { hideCredentials } from './hide-credentials.ts';
import { getText } from './http-get.ts';
import { readMetrics } from './prometheus-text.ts';
import type { Source, SourceAddress, UnopenedSource } from './source.ts';

const FORM = '//HOST/metrics#name,name';

/** Metrics in the text format of Prometheus; each set of labels is a row, its value a number. */
export const metrics: Source = { scheme: 'metrics+http', form: `metrics+http:${FORM}`, parse: parseMetrics };
export const metricsTls: Source = { scheme: 'metrics+https', form: `metrics+https:${FORM}`, parse: parseMetrics };

function parseMetrics({ text }: SourceAddress): UnopenedSource {
  const [address = '', ...fragment] = text.replace(/^metrics\+/i, '').split('#');
  const source = hideCredentials(text);
  const names = fragment.join('#').split(',').filter(Boolean);
  if (!/^https?:\/\/[^/]/i.test(address) || !URL.canParse(address)) throw bad(source, 'is not a URL');
  if (names.length === 0) {
    throw bad(source, 'names no metric, and all of them never stand still');
  }
  const url = new URL(address);
  const wanted = names.map(globPattern);
  return {
    defaultName: names.length === 1 ? (names[0] ?? '').replaceAll('*', '') || 'metrics' : 'metrics',
    open: async (name, { clock }) => {
      const read = async () => {
        const body = await getText({ url, shown: source, clock, accept: 'text/plain;version=0.0.4' });
        return readMetrics(body, { wanted, source });
      };
      await read();
      return { name, source, read, close: async () => {} };
    },
  };
}

function bad(source: string, what: string): UserError {
  return new UserError('BAD_EFFECT', `"${source}" ${what} (--effect).`, {
    hint: `Write it as ${metrics.form}; * in a name stands for anything.`,
  });
}
