import type { Provider } from './provider.ts';

/** What is left when nobody was recognised: unsigned JSON with `id` and `type`, or words that people use for them. */
export const generic: Provider = {
  id: 'generic',
  name: 'Unsigned JSON with id and type',
  docsUrl: '',
  detectHeaders: [],
  locate: {
    eventId: ['body:/id', 'body:/event_id', 'body:/eventId'],
    deliveryId: ['header:x-delivery-id'],
    type: ['body:/type', 'body:/event_type', 'body:/eventType', 'body:/event'],
    occurredAt: ['body:/created_at', 'body:/timestamp', 'body:/created', 'body:/occurred_at'],
    resource: ['body:/data/object/id', 'body:/data/id'],
  },
  stability: 'The id in the body is taken to be the same on every attempt.',
  retry: { automatic: true },
  requestHeaders: [['Content-Type', 'application/json']],
};
