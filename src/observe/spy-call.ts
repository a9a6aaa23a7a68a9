import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Cell } from '../model/effect.ts';
import { hideCredentials } from './hide-credentials.ts';
import { shownBytes } from './shown-bytes.ts';
import { tellingHeaders } from './spy-headers.ts';

const MAX_KEPT = 32 * 1024 * 1024;

/** One call that the receiver made. */
export type Call = {
  readonly method: string;
  readonly path: string;
  /** Path and query as on the request line. */
  readonly target: string;
  /** Name, value, name, value, ... as received. */
  readonly rawHeaders: readonly string[];
  readonly body: Buffer;
  /** False when the receiver broke off, or its body was over the limit. */
  readonly complete: boolean;
  /** What is worth comparing. Never the value of a credential. */
  readonly cells: Readonly<Record<string, Cell>>;
};

/** Reads a call to its end. Never throws. */
export async function takeCall(request: IncomingMessage): Promise<Call> {
  const { body, digest, complete } = await takeBody(request);
  const { method = 'GET', url: target = '/', rawHeaders } = request;
  const at = target.indexOf('?');
  const path = at < 0 ? target : target.slice(0, at);
  const cells = {
    method,
    path,
    query: at < 0 ? null : hideCredentials(target.slice(at)).slice(1),
    body: shownBytes(body, digest),
    'content-type': request.headers['content-type'] ?? null,
    authorization: request.headers.authorization === undefined ? null : 'present',
    'idempotency-key': textOf(request.headers['idempotency-key']),
    headers: tellingHeaders(request.headers),
    ...(complete ? {} : { complete }),
  };
  return { method, path, target, rawHeaders, body, complete, cells };
}

type Body = { readonly body: Buffer; readonly digest: string; readonly complete: boolean };

async function takeBody(request: IncomingMessage): Promise<Body> {
  const chunks: Buffer[] = [];
  const hash = createHash('sha256');
  let bytes = 0;
  let complete = true;
  try {
    for await (const chunk of request as AsyncIterable<Buffer>) {
      hash.update(chunk);
      bytes += chunk.length;
      if (bytes <= MAX_KEPT) chunks.push(chunk);
    }
  } catch {
    complete = false;
  }
  return {
    body: Buffer.concat(chunks),
    digest: `sha256:${hash.digest('hex')} (${bytes} bytes)`,
    complete: complete && bytes <= MAX_KEPT,
  };
}

function textOf(value: string | readonly string[] | undefined): string | null {
  return value === undefined ? null : String(value);
}
