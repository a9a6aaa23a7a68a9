import type { OutgoingRequest } from '../../model/attempt.ts';
import { headerValue } from '../../support/headers.ts';

/** A request as it goes over the wire, the way undici writes it: Host and Connection first, Content-Length last. */
export function requestBytes(request: OutgoingRequest, connection: 'close' | 'keep-alive'): Buffer {
  const lines = [
    `${request.method} ${request.target} HTTP/1.1`,
    `host: ${hostHeader(request)}`,
    `connection: ${connection}`,
    ...request.headers.filter(([name]) => name.toLowerCase() !== 'host').map(([name, value]) => `${name}: ${value}`),
    ...contentLength(request),
  ];
  return Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'), request.payload]);
}

export function hostHeader({ headers, url }: OutgoingRequest): string {
  return headerValue(headers, 'host') ?? url.host;
}

/** An empty POST says so with 0; an empty GET has no length (RFC 9110 section 8.6). */
function contentLength({ method, payload }: OutgoingRequest): readonly string[] {
  if (payload.length === 0 && !EXPECTS_PAYLOAD.has(method)) return [];
  return [`content-length: ${payload.length}`];
}

const EXPECTS_PAYLOAD = new Set(['POST', 'PUT', 'PATCH', 'QUERY', 'PROPFIND', 'PROPPATCH']);
