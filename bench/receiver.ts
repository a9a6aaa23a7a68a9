import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/**
 * The receiver of the benchmarks, a process of its own. It checks whether it knows the body, lets one turn of its event loop
 * pass, then acts and remembers: wrong, with the smallest window that one process can have. Prints its port.
 */
const known = new Set<string>();

const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    const id = Buffer.concat(chunks).toString();
    const act = () => {
      known.add(id);
      response.end('acted');
    };
    if (known.has(id)) response.end('known');
    else setImmediate(act);
  });
});

server.listen(0, '127.0.0.1', () => process.stdout.write(`${(server.address() as AddressInfo).port}\n`));
