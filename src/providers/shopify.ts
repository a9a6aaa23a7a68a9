import type { Provider } from './provider.ts';

/**
 * Two families of headers: webhooks send `X-Shopify-*`, the newer Events send `shopify-*`. A request keeps its own.
 * Signature and header names: npm @shopify/shopify-api@13.1.0 lib/webhooks/validate.js, lib/types.js.
 * Retries (8 within 4 hours, waits not published): https://shopify.dev/changelog/updates-to-webhook-retry-mechanism.
 * Timeout 5 s: https://shopify.dev/docs/apps/build/webhooks. Ids are 64-bit integers beyond 2^53.
 */
export const shopify: Provider = {
  id: 'shopify',
  name: 'Shopify',
  docsUrl: 'https://shopify.dev/docs/apps/build/webhooks',
  detectHeaders: [['X-Shopify-Topic'], ['X-Shopify-Hmac-Sha256'], ['shopify-topic'], ['shopify-hmac-sha256']],
  detectBody: ['/admin_graphql_api_id'],
  signature: {
    algorithm: 'sha256',
    key: 'utf8',
    content: '{body}',
    encoding: 'base64',
    header: 'X-Shopify-Hmac-Sha256',
    headerAliases: ['shopify-hmac-sha256'],
    value: '{signatures}',
    each: '{signature}',
    join: null,
  },
  locate: {
    eventId: ['header:X-Shopify-Event-Id', 'header:shopify-event-id'],
    deliveryId: ['header:X-Shopify-Webhook-Id', 'header:shopify-webhook-id'],
    type: ['header:X-Shopify-Topic', 'header:shopify-topic + header:shopify-action?'],
    occurredAt: ['header:X-Shopify-Triggered-At', 'header:shopify-triggered-at', 'body:/updated_at'],
    resource: ['body:/id', 'header:shopify-resource-id', 'body:/admin_graphql_api_id'],
  },
  stability: 'The webhook id is the same on every retry; the event id is shared by all deliveries of one event.',
  retry: { automatic: true, maxAttempts: 9, timeoutSeconds: 5 },
  requestHeaders: [
    ['Content-Type', 'application/json'],
    ['User-Agent', 'Shopify-Captain-Hook'],
    ['X-Shopify-Topic', '{type}'],
    ['X-Shopify-Shop-Domain', 'webhook-replay.myshopify.com'],
    ['X-Shopify-API-Version', '2026-01'],
    ['X-Shopify-Webhook-Id', '{uuid}'],
    ['X-Shopify-Event-Id', '{uuid}'],
    ['X-Shopify-Triggered-At', '{now}'],
  ],
};
