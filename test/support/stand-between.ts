import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';

export type StandIn = {
  readonly port: number;
  /** Connections that are open at this moment. */
  readonly open: () => number;
  /** Ends every connection; new ones are taken. */
  readonly cut: () => void;
  /** Ends every connection for good. */
  readonly close: () => Promise<void>;
};

/** Passes on what comes to a port of its own, for the length of the test. */
export async function standBetween({ hostname, port }: URL): Promise<StandIn> {
  const sockets = new Set<Socket>();
  const callers = new Set<Socket>();
  const server = createServer((socket) => {
    const beyond = connect(Number(port), hostname);
    callers.add(socket);
    socket.on('close', () => {
      callers.delete(socket);
      beyond.destroy();
    });
    beyond.on('close', () => socket.destroy());
    for (const side of [socket, beyond]) {
      sockets.add(side);
      side.on('error', () => {}).on('close', () => sockets.delete(side));
    }
    socket.pipe(beyond).pipe(socket);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const cut = () => {
    for (const socket of sockets) socket.destroy();
  };
  const close = async () => {
    if (!server.listening) return;
    server.close();
    cut();
    await once(server, 'close');
  };
  onTestFinished(close);
  return { port: (server.address() as AddressInfo).port, open: () => callers.size, cut, close };
}
