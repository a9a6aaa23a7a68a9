import { createServer } from 'node:http';
import { listenOnLoopback } from './loopback-server.ts';

/** A shipping service as it should be: the same idempotency key again is the same shipment. `GET` lists the shipments. */
export async function shippingService(atEnd: (end: () => Promise<void>) => void): Promise<{ readonly url: string }> {
  const shipments = new Map<string, unknown>();
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += String(chunk);
    if (request.method === 'POST') shipments.set(String(request.headers['idempotency-key']), JSON.parse(body));
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify([...shipments.values()]));
  });
  return { url: `${await listenOnLoopback(server, atEnd)}/shipments` };
}
