import type { Outcome } from '../../model/attempt.ts';
import { startOf } from '../no-response.ts';
import { bodyStart } from './body-start.ts';
import type { Framing } from './framing.ts';
import { type ParsedHead, type ReadHead, readHead } from './response-head.ts';

export type ParserOptions = {
  /** The request's method: a HEAD has no answer body whatever the headers say. */
  readonly method: string;
  /** How much of the body to keep; all of it is read. */
  readonly maxBodyBytes: number;
  readonly readHead?: ReadHead | undefined;
};

export type ParserState =
  | { readonly kind: 'more' }
  | { readonly kind: 'done'; readonly response: Extract<Outcome, { kind: 'response' }> }
  /** Not HTTP/1.1 as RFC 9112 has it. */
  | { readonly kind: 'broken'; readonly detail: string };

export type ResponseParser = {
  readonly push: (chunk: Buffer) => ParserState;
  /** The receiver closed its side: complete for a body that ends there, else `more`. */
  readonly end: () => ParserState;
  /** The status, once the head was read. */
  readonly status: () => number | undefined;
  /** After `done`: nothing stands in the way of another exchange on this connection. */
  readonly persists: () => boolean;
};

const MAX_HEAD_BYTES = 256 * 1024;
const MORE: ParserState = { kind: 'more' };

type Head = Extract<ParsedHead, { kind: 'head' }>;

/** Reads one HTTP/1.1 response, in whatever pieces it comes; skips 1xx. Bytes behind its end are no part of it. */
export function responseParser({ method, maxBodyBytes, readHead: read = readHead }: ParserOptions): ResponseParser {
  let parsed: Head | undefined;
  let framing: Framing | undefined;
  let rest: Buffer = EMPTY;
  let ended: ParserState | undefined;
  const body = bodyStart(maxBodyBytes);

  const finish = (state: ParserState) => {
    ended = state;
    return state;
  };
  const done = ({ head: { status, headers } }: Head) =>
    finish({ kind: 'done', response: { kind: 'response', status, headers, body: body.bytes() } });

  const takeHead = (): ParserState | undefined => {
    const end = rest.indexOf('\r\n\r\n');
    if (end < 0) {
      if (rest.length > MAX_HEAD_BYTES) return finish({ kind: 'broken', detail: 'The head has no end.' });
      return cannotBeHttp(rest) ? finish({ kind: 'broken', detail: startOf(rest) }) : MORE;
    }
    const next = read(rest.subarray(0, end), method);
    if (next.kind === 'broken') return finish(next);
    rest = rest.subarray(end + 4);
    if (next.head.status < 200) return takeHead();
    parsed = next;
    framing = next.newFraming();
    return undefined;
  };

  const takeBody = (head: Head, framing: Framing): ParserState => {
    const { used, state } = framing.read(rest, body.add);
    rest = rest.subarray(used);
    if (state === 'done') return done(head);
    return state === 'more' ? MORE : finish({ kind: 'broken', detail: state.broken });
  };

  const take = (chunk: Buffer): ParserState => {
    if (ended) return ended;
    rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    const stillHead = parsed ? undefined : takeHead();
    if (stillHead) return stillHead;
    return parsed && framing ? takeBody(parsed, framing) : MORE;
  };

  const push = (chunk: Buffer): ParserState => {
    const state = take(chunk);
    // The chunk's memory may be used for the next one.
    if (state === MORE && rest.length > 0) rest = Buffer.from(rest);
    return state;
  };

  return {
    push,
    end: () => ended ?? (parsed && framing?.endsWithConnection ? done(parsed) : MORE),
    status: () => parsed?.head.status,
    persists: () => parsed?.persists === true && framing?.endsWithConnection === false && rest.length === 0,
  };
}

const EMPTY: Buffer = Buffer.alloc(0);

function cannotBeHttp(start: Buffer): boolean {
  const seen = start.toString('latin1', 0, 5);
  return !'HTTP/'.startsWith(seen);
}
