import type { OutgoingRequest } from '../../model/attempt.ts';
import type { Headers } from '../../model/event.ts';
import { headerValue } from '../../support/headers.ts';

/** A request as it goes over the wire, the way undici writes it: Host and Connection first, Content-Length last. */
export function requestBytes(request: OutgoingRequest, connection: Connection): Buffer {
  const head = headBytes(request, connection);
  return withPayload(head, request.payload, Buffer.allocUnsafe(head.length + request.payload.length));
}

/** @param room gives memory for so many bytes */
export type WriteRequest = (
  request: OutgoingRequest,
  connection: Connection,
  room: (bytes: number) => Buffer,
) => Buffer;

/** The same for requests of which many have the same headers: their heads are made once. */
export function rememberingWriteRequest(): WriteRequest {
  const heads = new WeakMap<Headers, { readonly of: OutgoingRequest; connection: Connection; head: Buffer }>();
  const headOf = (request: OutgoingRequest, connection: Connection) => {
    const last = heads.get(request.headers);
    if (last && last.connection === connection && hasSameHead(last.of, request)) return last.head;
    const head = headBytes(request, connection);
    heads.set(request.headers, { of: request, connection, head });
    return head;
  };
  return (request, connection, room) => {
    const head = headOf(request, connection);
    return withPayload(head, request.payload, room(head.length + request.payload.length));
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

function withPayload(head: Buffer, payload: Uint8Array, bytes: Buffer): Buffer {
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
