import { createHmac } from 'node:crypto';
import { verify as verifyGithub } from '@octokit/webhooks-methods';
import { Webhook as StandardWebhook } from 'standardwebhooks';
import Stripe from 'stripe';
import { Webhook as SvixWebhook } from 'svix';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type RecordedRequest, startRecordingReceiver } from '../support/recording-receiver.ts';
import { type Replayed, replay, summaryOf } from '../support/replay.ts';
import { tempFolder } from '../support/temp-folder.ts';

const folder = tempFolder();

type Retried = {
  readonly replayed: Replayed;
  readonly requests: readonly RecordedRequest[];
  readonly atMs: readonly number[];
};

/** Replays with the pattern `retry` against a receiver that answers so, and 200 from then on. */
async function retryAgainst(statuses: readonly number[], words: readonly string[]): Promise<Retried> {
  const atMs: number[] = [];
  const receiver = await startRecordingReceiver(() => {
    atMs.push(Date.now());
    return `HTTP/1.1 ${statuses[atMs.length - 1] ?? 200} As Told\r\nContent-Length: 0\r\n\r\n`;
  });
  onTestFinished(receiver.close);
  const replayed = await replay(folder, [...words, '--pattern', 'retry', '--to', receiver.url]);
  return { replayed, requests: receiver.requests, atMs };
}

const headersOf = ({ headers }: RecordedRequest): Record<string, string> =>
  Object.fromEntries(headers.map(([name, value]) => [name.toLowerCase(), value]));
const textOf = ({ body }: RecordedRequest): string => body.toString('utf8');

/** Throws, or resolves to false, when the provider's own library refuses the request. */
type Verify = (request: RecordedRequest) => unknown;

const WHSEC = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';

const PROVIDERS: ReadonlyArray<{
  readonly event: string;
  readonly secret: string;
  readonly verify: Verify;
  /** What the provider keeps on a retry, and what it renews. */
  readonly kept: readonly string[];
  readonly renewed: readonly string[];
}> = [
  {
    event: 'stripe/payment_intent.succeeded',
    secret: 'whsec_test_of_stripe',
    verify: (request) =>
      Stripe.webhooks.constructEvent(
        textOf(request),
        headersOf(request)['stripe-signature'] ?? '',
        'whsec_test_of_stripe',
      ),
    kept: [],
    renewed: [],
  },
  {
    event: 'standard-webhooks/order.paid',
    secret: WHSEC,
    verify: (request) => new StandardWebhook(WHSEC).verify(textOf(request), headersOf(request)),
    kept: ['webhook-id'],
    renewed: [],
  },
  {
    event: 'svix/invoice.paid',
    secret: WHSEC,
    verify: (request) => new SvixWebhook(WHSEC).verify(textOf(request), headersOf(request)),
    kept: ['svix-id'],
    renewed: [],
  },
  {
    event: 'generic-hmac/order.paid',
    secret: 'shared secret',
    verify: (request) =>
      createHmac('sha256', 'shared secret').update(request.body).digest('hex') === headersOf(request)['x-signature'],
    kept: ['x-event-id'],
    renewed: ['x-delivery-id'],
  },
  {
    event: 'github/pull_request.opened',
    secret: 'secret of the hook',
    verify: (request) =>
      verifyGithub('secret of the hook', textOf(request), headersOf(request)['x-hub-signature-256'] ?? ''),
    kept: ['x-github-delivery'],
    renewed: [],
  },
];

describe.each(PROVIDERS)('$event, answered 500, 500 and 200', ({ event, secret, verify, kept, renewed }) => {
  it('is attempted exactly three times, each with a signature that holds', async () => {
    const words = [`fixture:${event}`, '--secret', secret, '--speed', '36000x'];
    const { replayed, requests } = await retryAgainst([500, 500, 200], words);
    expect(replayed.code, summaryOf(replayed)).toBe(0);
    expect(requests).toHaveLength(3);
    expect(replayed.report.counts).toMatchObject({ attempts: 3, planned: 1 });
    for (const request of requests) expect(await verify(request)).not.toBe(false);
    const bodies = new Set(requests.map(textOf));
    expect(bodies.size).toBe(1);
    const distinct = (name: string) => new Set(requests.map((request) => headersOf(request)[name])).size;
    for (const name of kept) expect([name, distinct(name)]).toEqual([name, 1]);
    for (const name of renewed) expect([name, distinct(name)]).toEqual([name, 3]);
  });
});

describe('the pattern retry', () => {
  it('signs each attempt with the time at which it goes out', async () => {
    const words = ['fixture:svix/invoice.paid', '--secret', WHSEC, '--speed', '200x'];
    const { requests, atMs } = await retryAgainst([500, 500, 200], words);
    const signedAt = requests.map((request) => Number(headersOf(request)['svix-timestamp']));
    expect(signedAt).toHaveLength(3);
    for (const [index, seconds] of signedAt.entries()) {
      expect(Math.abs((atMs[index] ?? 0) / 1000 - seconds)).toBeLessThan(1.5);
    }
    expect(signedAt[2]).toBeGreaterThan(signedAt[1] ?? 0);
    expect(new Set(requests.map((request) => headersOf(request)['svix-signature'])).size).toBeGreaterThan(1);
  });

  it('stops where the provider stops: after 410 from Standard Webhooks', async () => {
    const words = ['fixture:standard-webhooks/order.paid', '--secret', WHSEC, '--speed', '36000x'];
    const { replayed, requests } = await retryAgainst([500, 410], words);
    expect(requests).toHaveLength(2);
    expect(replayed.code, summaryOf(replayed)).toBe(1);
    expect(replayed.report.trials[0]?.findings[0]?.title).toContain('410');
  });

  it('ends with the plan of the provider when nothing helps', async () => {
    const words = ['fixture:standard-webhooks/order.paid', '--secret', WHSEC, '--speed', '1000000x'];
    const { replayed, requests } = await retryAgainst(Array(20).fill(500), words);
    expect(requests).toHaveLength(10);
    expect(replayed.code, summaryOf(replayed)).toBe(1);
  });

  it('says which delays nobody publishes, and who never retries by itself', async () => {
    const stripe = await retryAgainst([], ['fixture:stripe/payment_intent.succeeded', '--secret', 'whsec_test']);
    expect(stripe.replayed.report.trials[0]?.notes.join()).toContain('Stripe does not publish');
    const github = await retryAgainst([], ['fixture:github/issues.opened', '--secret', 'of the hook']);
    expect(github.replayed.report.trials[0]?.notes.join()).toContain('GitHub never retries by itself');
    const svix = await retryAgainst([], ['fixture:svix/invoice.paid', '--secret', WHSEC]);
    expect(svix.replayed.report.trials[0]?.notes).toEqual(['effects: not observed']);
  });
});
