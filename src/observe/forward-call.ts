import { type IncomingMessage, request as requestHttp, type ServerResponse } from 'node:http';
import { request as requestHttps } from 'node:https';
import { pipeline } from 'node:stream/promises';
import { HOP_BY_HOP } from '../support/headers.ts';
import type { Call } from './spy-call.ts';

/** Headers of one connection, not of the call, and those that we write ourselves. */
const NOT_FORWARDED = new Set([...HOP_BY_HOP, 'expect', 'host', 'content-length']);

/** Makes the call where it was meant to go and hands the answer back. Throws when there is none. */
export async function forwardCall(call: Call, to: URL, response: ServerResponse): Promise<number> {
  const answer = await send(call, to);
  const status = answer.statusCode ?? 502;
  response.writeHead(status, answer.statusMessage, kept(answer.rawHeaders, 'answer'));
  await pipeline(answer, response);
  return status;
}

function send({ method, target, rawHeaders, body }: Call, to: URL): Promise<IncomingMessage> {
  const request = to.protocol === 'https:' ? requestHttps : requestHttp;
  const path = `${to.pathname.replace(/\/$/, '')}${target}`;
  const hasBody = body.length > 0 || /^(POST|PUT|PATCH)$/.test(method);
  const headers = [
    'Host',
    to.host,
    ...kept(rawHeaders, 'call'),
    ...(hasBody ? ['Content-Length', String(body.length)] : []),
  ];
  return new Promise((resolve, reject) => {
    const outgoing = request({
      protocol: to.protocol,
      hostname: to.hostname.replace(/^\[|\]$/g, ''),
      port: to.port,
      method,
      path,
      headers,
      agent: false,
    });
    outgoing.on('response', resolve).on('error', reject).end(body);
  });
}

function kept(rawHeaders: readonly string[], of: 'call' | 'answer'): string[] {
  return rawHeaders.filter((_part, index) => {
    const name = rawHeaders[index - (index % 2)]?.toLowerCase() ?? '';
    return !NOT_FORWARDED.has(name) || (of === 'answer' && name === 'content-length');
  });
}
