import { describe, expect, it } from 'vitest';
import { detectProvider } from '../../../src/providers/detect.ts';
import { findProvider, PROVIDERS } from '../../../src/providers/list.ts';
import { factsOf } from '../../../src/providers/locate.ts';
import { type BareBody, requiredHeaders } from '../../../src/providers/required-headers.ts';
import { bodyRequest } from '../../support/requests.ts';

function headersFor(id: string, body: string, more: Partial<BareBody> = {}) {
  let count = 0;
  const uuid = () => `uuid-${++count}`;
  return requiredHeaders(findProvider(id), { payload: Buffer.from(body), nowMs: 1_700_000_000_000, uuid, ...more });
}

describe('requiredHeaders', () => {
  it('splits the type of GitHub: its header holds the part before the dot', () => {
    const headers = headersFor('github', '{"action":"opened"}', { type: 'pull_request.opened' });
    expect(headers).toContainEqual(['X-GitHub-Event', 'pull_request']);
    expect(factsOf(bodyRequest('{"action":"opened"}', headers)).type).toBe('pull_request.opened');
  });

  it('gives every header that needs one an id of its own', () => {
    const headers = headersFor('shopify', '{}', { type: 'orders/create' });
    expect(headers).toContainEqual(['X-Shopify-Webhook-Id', 'uuid-1']);
    expect(headers).toContainEqual(['X-Shopify-Event-Id', 'uuid-2']);
    expect(headers).toContainEqual(['X-Shopify-Triggered-At', '2023-11-14T22:13:20.000Z']);
  });

  it('takes the event id from the body where it holds one', () => {
    expect(headersFor('generic-hmac', '{"id":9007199254740993}')).toContainEqual(['x-event-id', '9007199254740993']);
    expect(headersFor('generic-hmac', '{}')).toContainEqual(['x-event-id', 'uuid-1']);
  });

  it.each(['github', 'shopify'])('of %s fails when nobody says the type, with what to do', (id) => {
    expect(() => headersFor(id, '{"action":"opened"}')).toThrow(
      expect.objectContaining({ code: 'TYPE_UNKNOWN', exitCode: 2, hint: expect.stringContaining('--type') }),
    );
  });

  it('lets headers of the user replace its own, in any case, and need nothing for them', () => {
    const headers = headersFor('github', '{}', {
      headers: [
        ['x-github-event', 'push'],
        ['X-More', '1'],
      ],
    });
    expect(headers.filter(([name]) => /^x-github-event$/i.test(name))).toEqual([['x-github-event', 'push']]);
    expect(headers.at(-1)).toEqual(['X-More', '1']);
  });

  it.each(PROVIDERS.map(({ id }) => id))('make a bare body of %s known as its own, with an id', (id) => {
    const signature = findProvider(id).signature?.header;
    const headers = [
      ...headersFor(id, '{"id":"evt_1","type":"a.b"}', { type: 'a.b' }),
      [signature ?? 'x', 's'] as const,
    ];
    const request = bodyRequest('{"id":"evt_1","type":"a.b"}', headers);
    expect(detectProvider(request).id).toBe(id);
    expect(factsOf(request)).toMatchObject({ eventId: expect.any(String), type: expect.stringMatching(/^a/) });
  });
});
