import type { OutgoingRequest } from '../../model/attempt.ts';
import type { Headers } from '../../model/event.ts';
import { headerValue } from '../../support/headers.ts';

/** A request as it goes over the wire, the way undici writes it: Host and Connection first, Content-Length last. */
export function requestBytes(request: OutgoingRequest, connection: Connection): Buffer {
  return withPayload(headBytes(request, connection), request.payload);
}

/** The same for requests of which many have the same headers: their heads are made once. */
export function rememberingRequestBytes(): typeof requestBytes {
  const heads = new WeakMap<Headers, { readonly of: OutgoingRequest; connection: Connection; head: Buffer }>();
  return (request, connection) => {
    const last = heads.get(request.headers);
    if (last && last.connection === connection && hasSameHead(last.of, request)) {
      return withPayload(last.head, request.payload);
    }
    const head = headBytes(request, connection);
    heads.set(request.headers, { of: request, connection, head });
    return withPayload(head, request.payload);
  };
}

type Connection = 'close' | 'keep-alive';

/** Of two requests with the same headers. */
function hasSameHead(one: OutgoingRequest, other: OutgoingRequest): boolean {
  return (
    one.target === other.target &&
    one.method === other.method &&
    one.payload.length === other.payload.length &&
    one.url.host === other.url.host
  );
}

function headBytes(request: OutgoingRequest, connection: Connection): Buffer {
  const lines = [
    `${request.method} ${request.target} HTTP/1.1`,
    `host: ${hostHeader(request)}`,
    `connection: ${connection}`,
    ...request.headers.filter(([name]) => name.toLowerCase() !== 'host').map(([name, value]) => `${name}: ${value}`),
    ...contentLength(request),
  ];
  return Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1');
}

function withPayload(head: Buffer, payload: Uint8Array): Buffer {
  const bytes = Buffer.allocUnsafe(head.length + payload.length);
  bytes.set(head);
  bytes.set(payload, head.length);
  return bytes;
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
