import { type AddressInfo, createServer, type Socket } from 'node:net';

export type RawServer = { readonly port: number; readonly close: () => Promise<void> };

/** A TCP server on a free port of 127.0.0.1 (or another address), closed with all its connections. */
export async function rawServer(onConnection: (socket: Socket) => void, host = '127.0.0.1'): Promise<RawServer> {
  const open = new Set<Socket>();
  const server = createServer((socket) => {
    open.add(socket);
    socket.on('close', () => open.delete(socket));
    socket.on('error', () => {});
    onConnection(socket);
  });
  await new Promise<void>((resolve, reject) => server.on('error', reject).listen(0, host, resolve));
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      for (const socket of open) socket.destroy();
    });
  return { port: (server.address() as AddressInfo).port, close };
}

/** Calls back once the socket has received a whole request with a Content-Length, or without a body; then again for the next. */
export function onRequest(socket: Socket, answer: (request: Buffer) => void): void {
  let seen = Buffer.alloc(0);
  socket.on('data', (chunk: Buffer) => {
    seen = Buffer.concat([seen, chunk]);
    const headEnd = seen.indexOf('\r\n\r\n');
    if (headEnd < 0) return;
    const length = Number(/content-length: (\d+)/i.exec(seen.toString('latin1', 0, headEnd))?.[1] ?? 0);
    const end = headEnd + 4 + length;
    if (seen.length < end) return;
    const request = Buffer.from(seen.subarray(0, end));
    seen = Buffer.from(seen.subarray(end));
    answer(request);
  });
}
