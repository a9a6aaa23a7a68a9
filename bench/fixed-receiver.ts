import { createServer } from 'node:http';
import { type AddressInfo, createServer as createRawServer, type Socket } from 'node:net';

/** Answers everything alike, so that the sender is the limit. `raw`: finds the end of each request and writes fixed bytes. `http`: an ordinary node:http server that reads the body. */
const kind = process.argv[2];
const OK = Buffer.from('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok');

const server =
  kind === 'raw'
    ? createRawServer(answerRaw)
    : createServer((request, response) => {
        const chunks: Buffer[] = [];
        request.on('data', (chunk: Buffer) => chunks.push(chunk));
        request.on('end', () => {
          response.setHeader('Content-Length', Buffer.concat(chunks).length > 0 ? 2 : 0);
          response.end('ok');
        });
      });

function answerRaw(socket: Socket): void {
  let rest: Buffer = Buffer.alloc(0);
  let missing = 0;
  socket.setNoDelay(true);
  socket.on('error', () => {});
  socket.on('data', (chunk: Buffer) => {
    rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    while (rest.length > 0) {
      if (missing === 0) {
        const end = rest.indexOf('\r\n\r\n');
        if (end < 0) return;
        missing = Number(/content-length: (\d+)/i.exec(rest.toString('latin1', 0, end))?.[1] ?? 0);
        rest = rest.subarray(end + 4);
      }
      const taken = Math.min(missing, rest.length);
      missing -= taken;
      rest = rest.subarray(taken);
      if (missing > 0) return;
      socket.write(OK);
    }
  });
}

server.listen(0, '127.0.0.1', () => process.stdout.write(`${(server.address() as AddressInfo).port}\n`));
