import type { CapturedAnswer, EventFacts, FoundRequest, Headers, Mark } from '../model/event.ts';
import { isoTime } from '../support/clock.ts';
import { problemOf } from './check-request.ts';

type Json = Readonly<Record<string, unknown>>;
type Read =
  | { readonly request: FoundRequest; readonly problem?: never }
  | { readonly request?: never; readonly problem: string };

const FACTS = ['provider', 'type', 'eventId', 'deliveryId', 'occurredAt', 'resource'] as const;
const MARKS: readonly Mark[] = ['truncated', 'incomplete', 'bytes-lost'];

/** The request that one line's JSON value describes, or what is wrong with it. */
export function requestOfJson(value: unknown, schema: string): Read {
  try {
    return { request: readRequest(value, schema) };
  } catch (error) {
    if (error instanceof Wrong) return { problem: error.message };
    throw error;
  }
}

/** Stays in this file: how the readers below tell what they did not like. */
class Wrong extends Error {}

function readRequest(value: unknown, schema: string): FoundRequest {
  if (!isObject(value)) throw new Wrong('the line is no JSON object');
  if (value['schema'] !== undefined && value['schema'] !== schema) {
    throw new Wrong(`its schema is "${String(value['schema'])}", and only "${schema}" is known here`);
  }
  const { headers, lost } = readHeaders(value['headers']);
  const request = {
    method: readText(value, 'method') ?? 'POST',
    path: readText(value, 'path') ?? '/',
    query: readText(value, 'query') ?? null,
    headers,
    payload: readBody(value['body']),
  };
  const problem = problemOf(request);
  if (problem) throw new Wrong(problem);
  const marks = readList(value, 'marks').filter((mark) => MARKS.includes(mark as Mark)) as Mark[];
  return {
    ...request,
    id: readText(value, 'id'),
    receivedAt: readTime(value['receivedAt']),
    facts: readFacts(value),
    tags: readList(value, 'tags'),
    marks: lost && !marks.includes('bytes-lost') ? [...marks, 'bytes-lost'] : marks,
    originalBytes: typeof value['originalBytes'] === 'number' ? value['originalBytes'] : undefined,
    answer: readAnswer(value['answer']),
  };
}

function readFacts(value: Json): Partial<EventFacts> {
  return Object.fromEntries(
    FACTS.map((name) => [name, readText(value, name)]).filter(([, text]) => text !== undefined),
  ) as Partial<EventFacts>;
}

/** Pairs keep everything; an object, as other tools write it, has lost order and repetition. */
function readHeaders(value: unknown): { readonly headers: Headers; readonly lost: boolean } {
  if (value === undefined) return { headers: [], lost: false };
  if (isObject(value)) {
    const headers = Object.entries(value).flatMap(([name, one]) =>
      (Array.isArray(one) ? one : [one]).map((text) => [name, String(text)] as const),
    );
    return { headers, lost: true };
  }
  if (!Array.isArray(value)) throw new Wrong('"headers" is no list of [name, value]');
  return { headers: value.map(readHeader), lost: false };
}

function readHeader(value: unknown): readonly [string, string] {
  if (Array.isArray(value) && value.length === 2) {
    const [name, text] = value as unknown[];
    if (typeof name === 'string' && typeof text === 'string') return [name, text];
  }
  throw new Wrong(`"headers" has an entry that is no [name, value]: ${JSON.stringify(value)}`);
}

function readBody(value: unknown): Uint8Array {
  if (value === undefined) throw new Wrong('it has no "body"');
  if (typeof value === 'string') return utf8(value);
  if (!isObject(value) || typeof value['data'] !== 'string') {
    throw new Wrong('"body" is neither {"encoding", "data"} nor text');
  }
  const { encoding, data } = value as { readonly encoding?: unknown; readonly data: string };
  if (encoding === 'utf8') return utf8(data);
  if (encoding !== 'base64') throw new Wrong(`the encoding of its body is "${String(encoding)}", not base64 or utf8`);
  if (!/^[A-Za-z0-9+/]*={0,2}$/.test(data)) throw new Wrong('the data of its body is not base64');
  return new Uint8Array(Buffer.from(data, 'base64'));
}

function utf8(text: string): Uint8Array {
  if (/\p{Surrogate}/u.test(text))
    throw new Wrong('its body has half a character (a lone surrogate), which UTF-8 cannot hold');
  return new Uint8Array(Buffer.from(text, 'utf8'));
}

function readTime(value: unknown): string | undefined {
  if (value === undefined || value === null) return undefined;
  const ms = typeof value === 'string' ? Date.parse(value) : Number.NaN;
  if (Number.isNaN(ms)) throw new Wrong(`"receivedAt" is no ISO-8601 time: ${JSON.stringify(value)}`);
  return isoTime(ms);
}

function readAnswer(value: unknown): CapturedAnswer | undefined {
  if (value === undefined || value === null) return undefined;
  if (isObject(value) && (value['kind'] === 'answered' || value['kind'] === 'not-delivered'))
    return value as CapturedAnswer;
  throw new Wrong('"answer" is not what export writes');
}

function readList(value: Json, key: string): readonly string[] {
  const list = value[key] ?? [];
  if (Array.isArray(list) && list.every((one) => typeof one === 'string')) return list as string[];
  throw new Wrong(`"${key}" is no list of texts`);
}

function readText(value: Json, key: string): string | undefined {
  const text = value[key];
  if (text === undefined || text === null) return undefined;
  if (typeof text === 'string') return text;
  throw new Wrong(`"${key}" is no text`);
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
