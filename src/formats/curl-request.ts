import type { Header, RawRequest } from '../model/event.ts';
import { UserError } from '../support/errors.ts';
import { problemOf } from './check-request.ts';
import type { CurlArgument } from './curl-options.ts';
import type { ParseOptions } from './format.ts';
import { trimBlanks } from './raw-http.ts';

type ReadFile = ParseOptions['readFile'];

const DATA = new Set(['data', 'data-ascii', 'data-raw', 'data-binary', 'data-urlencode', 'json']);
const HEADER_OPTIONS: Readonly<Record<string, string>> = {
  'user-agent': 'User-Agent',
  referer: 'Referer',
  cookie: 'Cookie',
};

/**
 * The request that curl would send, without what only the connection needs. All texts are latin1: a character is a byte.
 * @param readFile reads what `@file` names; without it `@file` is a `UserError`
 */
export function curlRequest(args: readonly CurlArgument[], readFile: ReadFile): RawRequest {
  const last = (name: string) => args.findLast((argument) => argument.name === name)?.value;
  const has = (name: string) => args.some((argument) => argument.name === name);
  const { host, path, query, user } = splitUrl(last('url'));
  const data = dataOf(args, readFile);
  const inQuery = has('get') && data !== undefined;
  const request = {
    method: last('request') ?? (has('head') ? 'HEAD' : data !== undefined && !inQuery ? 'POST' : 'GET'),
    path,
    query: inQuery ? [query, data].filter(Boolean).join('&') : query,
    headers: headersOf(args, { host, user: last('user') ?? user, body: inQuery ? undefined : data }),
  };
  const problem = problemOf(request);
  if (problem) throw new UserError('BAD_CURL', `${problem.charAt(0).toUpperCase()}${problem.slice(1)}.`);
  return { ...request, payload: new Uint8Array(Buffer.from(inQuery ? '' : (data ?? ''), 'latin1')) };
}

function splitUrl(url: string | undefined) {
  const match = /^(?:[a-z][a-z0-9+.-]*:\/\/)?(?:([^/?#@]*)@)?([^/?#]*)([^?#]*)(?:\?([^#]*))?/i.exec(url ?? '');
  const [, user, host = '', path = '', query] = match ?? [];
  if (host === '') {
    throw new UserError('BAD_CURL', url === undefined ? 'The command has no URL.' : `"${url}" is no URL.`, {
      hint: 'A command looks like: curl http://localhost:3000/hooks -d BODY',
    });
  }
  return { host, path: path || '/', query: query ?? null, user };
}

type Known = { readonly host: string; readonly user: string | undefined; readonly body: string | undefined };

function headersOf(args: readonly CurlArgument[], { host, user, body }: Known): readonly Header[] {
  const given = args.flatMap(({ name, value }): readonly Header[] => {
    if (name === 'header') return [splitHeader(value)];
    const header = HEADER_OPTIONS[name];
    return header === undefined ? [] : [[header, value]];
  });
  const isJson = args.some(({ name }) => name === 'json');
  const defaults: Header[] = [['Host', host]];
  if (user !== undefined) defaults.push(['Authorization', `Basic ${Buffer.from(user, 'latin1').toString('base64')}`]);
  const own: Header[] = [];
  if (isJson) own.push(['Content-Type', 'application/json'], ['Accept', 'application/json']);
  else if (body !== undefined) own.push(['Content-Type', 'application/x-www-form-urlencoded']);
  const names = new Set(given.map(([name]) => name.toLowerCase()));
  const missing = ([name]: Header) => !names.has(name.toLowerCase());
  return [...defaults.filter(missing), ...given.filter(([, value]) => value !== REMOVED), ...own.filter(missing)].map(
    ([name, value]): Header => [name, value === EMPTY ? '' : value],
  );
}

/** curl: `-H 'Name:'` takes a header away, `-H 'Name;'` sends it without a value. No real value holds a NUL. */
const REMOVED = '\0removed';
const EMPTY = '\0empty';

function splitHeader(text: string): Header {
  const colon = text.indexOf(':');
  if (colon < 0 && text.endsWith(';')) return [text.slice(0, -1), EMPTY];
  if (colon <= 0) {
    throw new UserError('BAD_CURL', `"${text}" is no header.`, { hint: "A header looks like: -H 'Name: value'" });
  }
  return [text.slice(0, colon), trimBlanks(text.slice(colon + 1)) || REMOVED];
}

/** All data options in their order; curl joins them with `&`, but JSON without anything. */
function dataOf(args: readonly CurlArgument[], readFile: ReadFile): string | undefined {
  const parts = args.filter(({ name }) => DATA.has(name));
  if (parts.length === 0) return undefined;
  const joint = parts.every(({ name }) => name === 'json') ? '' : '&';
  return parts.map((part) => dataPart(part, readFile)).join(joint);
}

function dataPart({ name, value }: CurlArgument, readFile: ReadFile): string {
  if (name === 'data-urlencode') return urlEncoded(value, readFile);
  if (name === 'data-raw' || !value.startsWith('@')) return value;
  const text = contentOf(value, readFile);
  // From a file, -d drops line ends and NUL bytes; --data-binary and --json keep everything.
  return name === 'data' || name === 'data-ascii' ? text.replace(/[\r\n\0]/g, '') : text;
}

/** `content`, `=content`, `name=content`, `@file`, `name@file`. */
function urlEncoded(value: string, readFile: ReadFile): string {
  const [, name = '', sign, rest = ''] = /^([^=@]*)([=@])?([\s\S]*)$/.exec(value) ?? [];
  if (sign === undefined) return percent(name);
  const content = sign === '@' ? contentOf(`@${rest}`, readFile) : rest;
  return name === '' ? percent(content) : `${name}=${percent(content)}`;
}

function percent(text: string): string {
  return text.replace(
    /[^A-Za-z0-9._~-]/g,
    (char) => `%${char.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`,
  );
}

function contentOf(value: string, readFile: ReadFile): string {
  const file = value.slice(1);
  if (!readFile || file === '-') {
    throw new UserError('BAD_CURL', `The command takes its body from "${value}", which is not here.`, {
      hint: 'Write the body into the command, or give the file itself: webhook-replay import FILE --format body',
    });
  }
  return Buffer.from(readFile(file)).toString('latin1');
}
