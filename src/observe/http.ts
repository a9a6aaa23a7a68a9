import { ProbeError, UserError } from '../support/errors.ts';
import { type Json, parseExactJson } from './exact-json.ts';
import { hideCredentials } from './hide-credentials.ts';
import { getText } from './http-get.ts';
import { rowsOfJson, valueAt } from './json-rows.ts';
import type { Source, SourceAddress, UnopenedSource } from './source.ts';

/** A JSON answer, compared by content; a number is a counter. What the pointer names may appear later. */
export const http: Source = { scheme: 'http', form: 'http://HOST/PATH#/json/pointer', parse: parseHttp };
export const https: Source = { scheme: 'https', form: 'https://HOST/PATH#/json/pointer', parse: parseHttp };

function parseHttp({ text }: SourceAddress): UnopenedSource {
  const [address = '', ...fragment] = text.split('#');
  const source = hideCredentials(text);
  const url = urlOf(address, source);
  const pointer = pointerOf(fragment.join('#'), source);
  const lastPart = pointer.split('/').at(-1) || url.pathname.split('/').filter(Boolean).at(-1) || url.hostname;
  return {
    defaultName: lastPart.replace(/[\s:#=/]+/g, '-'),
    open: async (name, { clock }) => {
      const read = async () => {
        const document = parse(await getText({ url, shown: source, clock }), source);
        const value = valueAt(document, pointer);
        return value === undefined ? { collections: [] } : rowsOfJson(value, pointer);
      };
      await read();
      return { name, source, read, close: async () => {} };
    },
  };
}

function urlOf(address: string, shown: string): URL {
  if (/^https?:\/\/[^/]/i.test(address) && URL.canParse(address)) return new URL(address);
  throw new UserError('BAD_EFFECT', `"${shown}" is not a URL (--effect).`, {
    hint: `Write it as ${http.form}.`,
  });
}

/** In a URL's fragment a pointer is percent-encoded (RFC 6901, section 6); people mostly write it bare. */
function pointerOf(fragment: string, shown: string): string {
  if (fragment !== '' && !fragment.startsWith('/')) {
    throw new UserError('BAD_EFFECT', `"${shown}" has no JSON pointer behind "#" (--effect).`, {
      hint: `A pointer starts with a slash: #/${fragment.replaceAll('.', '/')}`,
    });
  }
  try {
    return decodeURIComponent(fragment);
  } catch {
    return fragment;
  }
}

function parse(text: string, source: string): Json {
  try {
    return parseExactJson(text.replace(/^\uFEFF/, ''));
  } catch (cause) {
    const body = text === '' ? 'an empty body' : `"${text.slice(0, 200)}"`;
    throw new ProbeError(`"${source}" did not answer JSON but ${body}.`, {
      hint: 'Name a URL that answers JSON, or use exec: with a command that prints it.',
      cause,
    });
  }
}
