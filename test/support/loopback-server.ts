import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Lets a server listen on a free port for the length of a test, and returns its URL. */
export async function listenOnLoopback(server: Server, atEnd: (end: () => Promise<void>) => void): Promise<string> {
  await once(server.listen(0, '127.0.0.1'), 'listening');
  atEnd(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
