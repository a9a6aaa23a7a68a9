import type { Provider } from './provider.ts';

/**
 * https://github.com/standard-webhooks/standard-webhooks spec/standard-webhooks.md: signature, example table of retries,
 * 410 Gone ends them, timeout of 15 to 30 s recommended. Tolerance: npm standardwebhooks@1.1.1.
 * The timestamp is that of the attempt: new on every retry. Only `v1` (HMAC) is signed here, not `v1a` (ed25519).
 */
export const standardWebhooks: Provider = {
  id: 'standard-webhooks',
  name: 'Standard Webhooks',
  docsUrl: 'https://www.standardwebhooks.com',
  detectHeaders: [
    ['webhook-id', 'webhook-signature'],
    ['webhook-id', 'webhook-timestamp'],
  ],
  signature: {
    algorithm: 'sha256',
    key: 'base64-after-prefix',
    content: '{id}.{timestamp}.{body}',
    encoding: 'base64',
    header: 'webhook-signature',
    value: '{signatures}',
    each: 'v1,{signature}',
    join: ' ',
    timestamp: { unit: 's', header: 'webhook-timestamp', toleranceSeconds: 300 },
    idHeader: 'webhook-id',
  },
  locate: {
    eventId: ['header:webhook-id'],
    deliveryId: [],
    type: ['body:/type'],
    occurredAt: ['body:/timestamp'],
    resource: ['body:/data/id'],
  },
  stability: 'webhook-id is the same on every retry and resend.',
  retry: {
    automatic: true,
    delaysSeconds: [5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400],
    maxAttempts: 10,
    timeoutSeconds: 15,
    finalStatuses: [410],
  },
  requestHeaders: [
    ['Content-Type', 'application/json'],
    ['webhook-id', 'msg_{uuid}'],
    ['webhook-timestamp', '{seconds}'],
  ],
};
