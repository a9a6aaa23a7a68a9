import type { Provider } from './provider.ts';

/**
 * Signature: npm svix@1.99.1. Retries and timeout: https://docs.svix.com/retries (each wait counts from the failure before).
 * Clerk, Resend and many others send through Svix with these headers.
 */
export const svix: Provider = {
  id: 'svix',
  name: 'Svix',
  docsUrl: 'https://docs.svix.com/receiving',
  detectHeaders: [
    ['svix-id', 'svix-signature'],
    ['svix-id', 'svix-timestamp'],
  ],
  signature: {
    algorithm: 'sha256',
    key: 'base64-after-prefix',
    content: '{id}.{timestamp}.{body}',
    encoding: 'base64',
    header: 'svix-signature',
    value: '{signatures}',
    each: 'v1,{signature}',
    join: ' ',
    timestamp: { unit: 's', header: 'svix-timestamp', toleranceSeconds: 300 },
    idHeader: 'svix-id',
  },
  locate: {
    eventId: ['header:svix-id'],
    deliveryId: [],
    type: ['body:/type'],
    occurredAt: ['body:/timestamp', 'body:/created_at'],
    resource: ['body:/data/id'],
  },
  stability: 'svix-id is the same on every retry and resend.',
  retry: {
    automatic: true,
    delaysSeconds: [5, 300, 1800, 7200, 18_000, 36_000, 36_000],
    maxAttempts: 8,
    timeoutSeconds: 15,
  },
  requestHeaders: [
    ['Content-Type', 'application/json'],
    ['svix-id', 'msg_{uuid}'],
    ['svix-timestamp', '{seconds}'],
  ],
};
