import type { Provider } from './provider.ts';

/**
 * Signature and tolerance: npm stripe@23.1.0 cjs/Webhooks.js (no bound on timestamps in the future).
 * Retries: https://docs.stripe.com/webhooks (up to 3 days, exponential; neither waits nor timeout are published).
 * Every retry carries a new `t` and signature. Thin events (v2) name their object in `related_object`.
 */
export const stripe: Provider = {
  id: 'stripe',
  name: 'Stripe',
  docsUrl: 'https://docs.stripe.com/webhooks',
  detectHeaders: [['Stripe-Signature']],
  detectBody: ['/id', '/type', '/api_version', '/livemode', '/data/object'],
  signature: {
    algorithm: 'sha256',
    key: 'utf8',
    content: '{timestamp}.{body}',
    encoding: 'hex',
    header: 'Stripe-Signature',
    value: 't={timestamp},{signatures}',
    each: 'v1={signature}',
    join: ',',
    timestamp: { unit: 's', toleranceSeconds: 300, futureToleranceSeconds: null },
  },
  locate: {
    eventId: ['body:/id'],
    deliveryId: [],
    type: ['body:/type'],
    occurredAt: ['body:/created'],
    resource: ['body:/data/object/id', 'body:/related_object/id'],
  },
  stability: 'The event id is the same on every retry and resend; there is no delivery id.',
  retry: { automatic: true },
  requestHeaders: [
    ['Content-Type', 'application/json; charset=utf-8'],
    ['User-Agent', 'Stripe/1.0 (+https://stripe.com/docs/webhooks)'],
  ],
};
