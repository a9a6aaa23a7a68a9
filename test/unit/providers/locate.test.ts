import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { detectProvider } from '../../../src/providers/detect.ts';
import { PROVIDERS } from '../../../src/providers/list.ts';
import { factsOf } from '../../../src/providers/locate.ts';
import { bodyRequest } from '../../support/requests.ts';

const STRIPE = [['Stripe-Signature', 't=1,v1=00']] as const;

describe('factsOf', () => {
  it('reads a Stripe event', () => {
    const body = '{"id":"evt_1","type":"invoice.paid","created":1700000000,"data":{"object":{"id":"in_1"}}}';
    expect(factsOf(bodyRequest(body, STRIPE))).toEqual({
      provider: 'stripe',
      type: 'invoice.paid',
      eventId: 'evt_1',
      occurredAt: '2023-11-14T22:13:20.000Z',
      resource: 'in_1',
    });
  });

  it('joins the event header of GitHub and the action of the body', () => {
    const body = '{"action":"opened","pull_request":{"number":7},"repository":{"full_name":"octo/demo"}}';
    const headers = [
      ['X-GitHub-Event', 'pull_request'],
      ['X-GitHub-Delivery', '11111111-2222-3333-4444-555555555555'],
    ] as const;
    expect(factsOf(bodyRequest(body, headers))).toEqual({
      provider: 'github',
      type: 'pull_request.opened',
      eventId: '11111111-2222-3333-4444-555555555555',
      deliveryId: '11111111-2222-3333-4444-555555555555',
      resource: 'octo/demo/pull_request/7',
    });
  });

  it('names the type of a GitHub event without an action by its header alone', () => {
    const facts = factsOf(
      bodyRequest('{"ref":"refs/heads/main","repository":{"full_name":"octo/demo"}}', [['X-GitHub-Event', 'push']]),
    );
    expect(facts).toEqual({ provider: 'github', type: 'push', resource: 'octo/demo/refs/heads/main' });
  });

  it('reads the JSON in the payload field of a GitHub form', () => {
    const json = '{"action":"created","issue":{"number":3},"repository":{"full_name":"octo/demo"}}';
    const request = bodyRequest(new URLSearchParams({ payload: json }).toString(), [
      ['content-type', 'application/x-www-form-urlencoded'],
      ['X-GitHub-Event', 'issues'],
    ]);
    expect(factsOf(request)).toMatchObject({ type: 'issues.created', resource: 'octo/demo/issue/3' });
  });

  it.each([
    ['an integer beyond 2^53', '{"id":788032119674292922}', '788032119674292922'],
    ['thirty digits', '{"id":123456789012345678901234567890}', '123456789012345678901234567890'],
    ['a negative one', '{"id":-9007199254740993}', '-9007199254740993'],
    ['a fraction as written', '{"id":1.10}', '1.10'],
    ['an exponent as written', '{"id":1E400}', '1E400'],
    ['the last of two equal keys', '{"id":9007199254740993,"id":9007199254740995}', '9007199254740995'],
    [
      'digits and quotes in strings beside it',
      '{"a":"x\\"12345678901234567","id":9007199254740993}',
      '9007199254740993',
    ],
    ['behind a byte order mark', '\u{feff}{"id":"evt_bom"}', 'evt_bom'],
  ])('keeps %s exactly', (_name, body, eventId) => {
    expect(factsOf(bodyRequest(body))).toEqual({ provider: 'generic', eventId });
  });

  it.each(['X-Shopify-', 'shopify-'])('reads Shopify in its %s family of headers', (prefix) => {
    const request = bodyRequest('{"id":788032119674292922}', [
      [`${prefix}topic`, 'products/update'],
      [`${prefix}event-id`, 'event-1'],
      [`${prefix}webhook-id`, 'webhook-1'],
      [`${prefix}triggered-at`, '2024-11-30T12:00:00.123456789Z'],
    ]);
    expect(factsOf(request)).toEqual({
      provider: 'shopify',
      type: 'products/update',
      eventId: 'event-1',
      deliveryId: 'webhook-1',
      occurredAt: '2024-11-30T12:00:00.123Z',
      resource: '788032119674292922',
    });
  });

  it('takes the given provider instead of the one it would detect', () => {
    expect(factsOf(bodyRequest('{"id":"1"}', STRIPE), 'generic').provider).toBe('generic');
  });

  it('does not read what an object inherits', () => {
    expect(factsOf(bodyRequest('{"data":[]}'), 'generic')).toEqual({ provider: 'generic' });
    expect(factsOf(bodyRequest('{"created_at":{},"type":["x"]}'))).toEqual({ provider: 'generic' });
  });

  it.each(['null', '[]', '[{"id":"1"}]', '"text"', '17', '', '{', '{"id":null}', '<xml/>'])(
    'finds nothing in %s and does not fail',
    (body) => {
      expect(factsOf(bodyRequest(body))).toEqual({ provider: 'generic' });
    },
  );

  it.each(PROVIDERS.map((provider) => provider.id))('survives any bytes and headers as %s', (id) => {
    const header = fc.tuple(
      fc.constantFrom('Stripe-Signature', 'X-GitHub-Event', 'content-type', 'svix-id', 'X-Shopify-Topic'),
      fc.oneof(fc.string(), fc.constant('application/x-www-form-urlencoded')),
    );
    const payload = fc.oneof(fc.uint8Array(), fc.json().map(Buffer.from));
    fc.assert(
      fc.property(payload, fc.array(header), (bytes, headers) => {
        const before = Buffer.from(bytes);
        expect(factsOf(bodyRequest(bytes, headers), id).provider).toBe(id);
        expect(Buffer.from(bytes)).toEqual(before);
      }),
    );
  });
});

describe('detectProvider', () => {
  it.each([
    ['stripe', [['STRIPE-SIGNATURE', 't=1']]],
    ['github', [['x-github-event', 'push']]],
    ['shopify', [['shopify-hmac-sha256', 'x']]],
    [
      'svix',
      [
        ['webhook-id', 'msg_1'],
        ['webhook-signature', 'v1,x'],
        ['svix-id', 'msg_1'],
        ['svix-signature', 'v1,x'],
      ],
    ],
    [
      'standard-webhooks',
      [
        ['Webhook-Id', 'msg_1'],
        ['Webhook-Signature', 'v1,x'],
      ],
    ],
    [
      'generic-hmac',
      [
        ['X-Event-Id', '1'],
        ['X-Signature', '00'],
      ],
    ],
    ['generic', [['x-event-id', '1']]],
  ] as const)('recognises %s by headers in any case', (id, headers) => {
    expect(detectProvider(bodyRequest('{}', headers)).id).toBe(id);
  });

  it('does not take Gitea for GitHub, whose header it sends too', () => {
    const headers = [
      ['X-GitHub-Event', 'push'],
      ['X-Gitea-Event', 'push'],
    ] as const;
    expect(detectProvider(bodyRequest('{"sender":{"login":"a","node_id":"b"}}', headers)).id).toBe('generic');
  });

  it('recognises a bare Stripe event by its body', () => {
    const body = '{"id":"evt_1","type":"a","api_version":null,"livemode":false,"data":{"object":{}}}';
    expect(detectProvider(bodyRequest(body)).id).toBe('stripe');
  });

  it('recognises a bare GitHub body and a bare Shopify body', () => {
    expect(detectProvider(bodyRequest('{"sender":{"login":"a","node_id":"b"}}')).id).toBe('github');
    expect(detectProvider(bodyRequest('{"admin_graphql_api_id":"gid://shopify/Order/1"}')).id).toBe('shopify');
  });

  it('lets headers beat the body', () => {
    const body = '{"admin_graphql_api_id":"gid://shopify/Order/1"}';
    expect(detectProvider(bodyRequest(body, STRIPE)).id).toBe('stripe');
  });
});
