import type { Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { UserError } from '../support/errors.ts';
import type { Listening } from './own-address.ts';

/** The self-connection is on this machine: it works at once or not at all. */
const SELF_CONNECT_MS = 5000;

/**
 * Resolves when the port really accepts: a connection of our own has been made to it.
 * @throws UserError when it cannot be used
 */
export async function listen(server: Server, wanted: Listening): Promise<Listening> {
  await new Promise<void>((resolve, reject) => {
    const fail = (error: NodeJS.ErrnoException) => reject(explain(error, wanted));
    server.once('error', fail);
    server.listen(wanted.port, wanted.host, () => {
      server.off('error', fail);
      resolve();
    });
  });
  const { address, port } = server.address() as AddressInfo;
  try {
    await connectOnce(reachable(address), port);
  } catch (error) {
    server.close();
    throw error;
  }
  return { host: address, port };
}

export function urlOf({ host, port }: Listening): string {
  const name = reachable(host);
  return `http://${name.includes(':') ? `[${name}]` : name}:${port}`;
}

/** An unspecified address accepts on all interfaces, but is no address to connect to on every system. */
function reachable(address: string): string {
  if (address === '0.0.0.0') return '127.0.0.1';
  return address === '::' ? '::1' : address;
}

function connectOnce(host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const fail = (cause: string) => {
      socket.destroy();
      reject(
        new UserError('NOT_ACCEPTING', `Port ${port} on ${host} was opened, but a connection to it failed: ${cause}.`, {
          hint: 'Look for a firewall, or use another --port.',
          exitCode: 3,
        }),
      );
    };
    const socket = connect({ host, port, timeout: SELF_CONNECT_MS }, () => {
      socket.end();
      resolve();
    });
    socket.on('error', (error) => fail(error.message)).on('timeout', () => fail(`no answer in ${SELF_CONNECT_MS} ms`));
  });
}

function explain(error: NodeJS.ErrnoException, { host, port }: Listening): Error {
  switch (error.code) {
    case 'EADDRINUSE':
      return new UserError('PORT_IN_USE', `Port ${port} on ${host} is in use by another program.`, {
        hint: 'Choose another with --port, or any free one with --port 0.',
      });
    case 'EACCES':
      return new UserError('PORT_FORBIDDEN', `Port ${port} on ${host} may not be opened by this user.`, {
        hint: 'Ports below 1024 are often reserved; choose a higher --port.',
      });
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return new UserError('HOST_NOT_HERE', `"${host}" is no address of this machine.`, {
        hint: 'Leave --host away for loopback; --host 0.0.0.0 listens on all interfaces.',
      });
    default:
      return error;
  }
}
