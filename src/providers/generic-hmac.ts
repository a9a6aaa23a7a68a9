import type { Provider } from './provider.ts';

/** A widespread home-made convention, with no documentation of its own: an id and a hex HMAC-SHA256 of the raw body in headers. */
export const genericHmac: Provider = {
  id: 'generic-hmac',
  name: 'JSON with x-event-id and x-signature',
  docsUrl: '',
  detectHeaders: [['x-event-id', 'x-signature']],
  signature: {
    algorithm: 'sha256',
    key: 'utf8',
    content: '{body}',
    encoding: 'hex',
    header: 'x-signature',
    value: '{signatures}',
    each: '{signature}',
    join: null,
  },
  locate: {
    eventId: ['header:x-event-id', 'body:/id'],
    deliveryId: ['header:x-delivery-id'],
    type: ['header:x-event-type', 'body:/type'],
    occurredAt: ['body:/created_at', 'body:/timestamp', 'body:/created'],
    resource: ['body:/data/object/id', 'body:/data/id'],
  },
  stability: 'x-event-id is the same on every attempt; x-delivery-id is new on each.',
  retry: { automatic: true, renewedHeaders: ['x-delivery-id'] },
  requestHeaders: [
    ['Content-Type', 'application/json'],
    ['x-event-id', '{eventId}'],
    ['x-delivery-id', '{uuid}'],
  ],
};
