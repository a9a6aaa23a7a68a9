import type { ServerResponse } from 'node:http';
import type { Headers } from '../model/event.ts';

/** What the sender is told. */
export type Reply = {
  readonly by: 'capture' | 'receiver';
  readonly status: number;
  /** Without hop-by-hop headers; Content-Length is made from the body, except in an answer that has none (HEAD). */
  readonly headers: Headers;
  readonly body: Uint8Array;
};

export function plainReply(status: number, text: string): Reply {
  const headers: Headers = [['Content-Type', 'text/plain; charset=utf-8']];
  return { by: 'capture', status, headers, body: Buffer.from(text, 'utf8') };
}

/** @returns whether the whole answer was handed to the system; false when the sender had gone */
export async function writeReply(response: ServerResponse, reply: Reply): Promise<boolean> {
  if (response.destroyed) return false;
  // The receiver's own Date, or none, is part of its answer.
  if (reply.by === 'receiver') response.sendDate = false;
  response.writeHead(reply.status, framed(reply, response.req.method === 'HEAD') as unknown as string[]);
  return new Promise((resolve) => {
    response.on('finish', () => resolve(true)).on('close', () => resolve(false));
    response.end(reply.body);
  });
}

/** node accepts pairs here and keeps their order, case and repetition; its types know only the flat form. */
function framed({ status, headers, body }: Reply, isHead: boolean): Headers {
  if (isHead || status === 204 || status === 304) return headers;
  const others = headers.filter(([name]) => name.toLowerCase() !== 'content-length');
  return [...others, ['Content-Length', String(body.length)]];
}
