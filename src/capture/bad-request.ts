import { STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import type { CaptureListener } from './progress.ts';

type ParseTrouble = Error & { readonly code?: string; readonly rawPacket?: Buffer };

/** Bytes that are no HTTP request, or stop being one: an answer where somebody may still read it, a line in the log, never a crash. */
export function refuseBadRequest(tell: CaptureListener): (error: Error, socket: Duplex) => void {
  return (error, socket) => {
    const trouble = error as ParseTrouble;
    // The sender cut the connection; an open request of it is stored as incomplete by its own reader.
    if (trouble.code === 'ECONNRESET' || trouble.code === 'EPIPE') return void socket.destroy();
    const [status, detail] = explain(trouble);
    tell({ kind: 'rejected', reason: 'malformed', status: socket.writable ? status : undefined, detail });
    if (!socket.writable) return void socket.destroy();
    const body = `${detail}.\n`;
    const head = `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nConnection: close\r\nContent-Type: text/plain\r\n`;
    socket.end(`${head}Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
  };
}

function explain({ code, message, rawPacket }: ParseTrouble): readonly [status: number, detail: string] {
  if (code === 'HPE_HEADER_OVERFLOW') return [431, 'the headers are over the limit of 64 KB'];
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return [408, 'the request did not come to its end in time'];
  if (code === 'HPE_INVALID_EOF_STATE') return [400, 'the sender broke off in the middle of a request'];
  if (code === 'HPE_PAUSED_H2_UPGRADE') return [400, 'this is HTTP/2; use HTTP/1.1'];
  // A TLS handshake record starts with 22, 3 (RFC 8446 section 5.1).
  if (rawPacket?.[0] === 22 && rawPacket[1] === 3) return [400, 'this is TLS; use http://, not https://'];
  return [400, `this is not valid HTTP (${message.replace(/^Parse Error:? ?/, '') || code})`];
}
