import type { Outcome } from '../../model/attempt.ts';
import { startOf } from '../no-response.ts';
import { bodyStart } from './body-start.ts';
import type { Framing } from './framing.ts';
import { parseHead, type ResponseHead } from './response-head.ts';

export type ParserOptions = {
  /** The request's method: a HEAD has no answer body whatever the headers say. */
  readonly method: string;
  /** How much of the body to keep; all of it is read. */
  readonly maxBodyBytes: number;
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
};

const MAX_HEAD_BYTES = 256 * 1024;
const MORE: ParserState = { kind: 'more' };

/** Reads one HTTP/1.1 response, in whatever pieces it comes; skips 1xx. Bytes behind its end are ignored. */
export function responseParser({ method, maxBodyBytes }: ParserOptions): ResponseParser {
  let head: ResponseHead | undefined;
  let framing: Framing | undefined;
  let rest: Buffer = Buffer.alloc(0);
  let ended: ParserState | undefined;
  const body = bodyStart(maxBodyBytes);

  const finish = (state: ParserState) => {
    ended = state;
    return state;
  };
  const done = ({ status, headers }: ResponseHead) =>
    finish({ kind: 'done', response: { kind: 'response', status, headers, body: body.bytes() } });

  const readHead = (): ParserState | undefined => {
    const end = rest.indexOf('\r\n\r\n');
    if (end < 0) {
      if (rest.length > MAX_HEAD_BYTES) return finish({ kind: 'broken', detail: 'The head has no end.' });
      return cannotBeHttp(rest) ? finish({ kind: 'broken', detail: startOf(rest) }) : MORE;
    }
    const parsed = parseHead(rest.toString('latin1', 0, end), method);
    if (parsed.kind === 'broken') return finish(parsed);
    rest = rest.subarray(end + 4);
    if (parsed.head.status < 200) return readHead();
    head = parsed.head;
    framing = parsed.framing;
    return undefined;
  };

  const readBody = (head: ResponseHead, framing: Framing): ParserState => {
    const { used, state } = framing.read(rest, body.add);
    rest = rest.subarray(used);
    if (state === 'done') return done(head);
    return state === 'more' ? MORE : finish({ kind: 'broken', detail: state.broken });
  };

  const push = (chunk: Buffer): ParserState => {
    if (ended) return ended;
    rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    const stillHead = head ? undefined : readHead();
    if (stillHead) return stillHead;
    return head && framing ? readBody(head, framing) : MORE;
  };

  return {
    push,
    end: () => ended ?? (head && framing?.endsWithConnection ? done(head) : MORE),
    status: () => head?.status,
  };
}

function cannotBeHttp(start: Buffer): boolean {
  const seen = start.toString('latin1', 0, 5);
  return !'HTTP/'.startsWith(seen);
}
