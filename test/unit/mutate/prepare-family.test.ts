import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { WebhookEvent } from '../../../src/model/event.ts';
import { factsOf } from '../../../src/providers/locate.ts';
import { UserError } from '../../../src/support/errors.ts';
import { bodyOf, eventOf, familyOf, JSON_TYPE, leavesOf, renew } from './events.ts';
import { FIXTURES } from './fixtures.ts';

function changedPointers(before: WebhookEvent, after: WebhookEvent): readonly string[] {
  const [old, renewed] = [before, after].map((event) =>
    leavesOf(JSON.parse(Buffer.from(event.payload).toString('utf8'))),
  );
  expect([...(renewed?.keys() ?? [])]).toEqual([...(old?.keys() ?? [])]);
  return [...(old ?? [])].filter(([pointer, value]) => renewed?.get(pointer) !== value).map(([pointer]) => pointer);
}

function jsonOf(event: WebhookEvent) {
  return JSON.parse(
    Buffer.from(event.payload)
      .toString('utf8')
      .replace(/^\ufeff/, ''),
  );
}

describe.each(Object.entries(FIXTURES))('an event of %s', (provider, event) => {
  it('is detected as such', () => {
    expect(event.provider).toBe(provider);
  });

  it('gets new own ids, and its facts say what its bytes say', () => {
    const renewed = renew(event);
    expect(renewed.eventId).not.toBe(event.eventId);
    if (event.resource !== undefined) expect(renewed.resource).not.toBe(event.resource);
    if (event.deliveryId !== undefined) expect(renewed.deliveryId).not.toBe(event.deliveryId);
    expect({ ...renewed, ...factsOf(renewed) }).toEqual(renewed);
  });

  it('is otherwise the same to the byte: mapped back, it is the captured one', () => {
    fc.assert(
      fc.property(fc.nat(), fc.uuid(), fc.string(), (seed, nonce, round) => {
        const identity = familyOf([event], { seed, nonce }).identity(round);
        const renewed = identity.apply(event);
        expect(identity.toOriginal(bodyOf(renewed))).toBe(bodyOf(event));
        expect(renewed.headers.map(([name, value]) => [name, identity.toOriginal(value)])).toEqual(event.headers);
        expect(identity.toOriginal(renewed.path)).toBe(event.path);
        expect(identity.toOriginal(renewed.query ?? '')).toBe(event.query ?? '');
        expect(identity.toOriginal(renewed.eventId ?? '')).toBe(event.eventId);
      }),
      { numRuns: 25 },
    );
  });

  it('gets the same ids in the same round, others in another round or run', () => {
    const bodies = [
      familyOf([event]).identity('a').apply(event),
      familyOf([event]).identity('b').apply(event),
      familyOf([event], { nonce: 'other' }).identity('a').apply(event),
      familyOf([event], { seed: 8 }).identity('a').apply(event),
    ];
    expect(familyOf([event]).identity('a').apply(event)).toEqual(bodies[0]);
    expect(new Set(bodies.map(({ eventId }) => eventId)).size).toBe(4);
  });

  it('maps distinct ids to distinct new ones that never stood in it', () => {
    const { map } = familyOf([event]).identity('a');
    expect(map.size).toBeGreaterThan(1);
    expect(new Set(map.values()).size).toBe(map.size);
    for (const id of map.values()) expect(bodyOf(event)).not.toContain(id);
  });

  it('keeps its id of ours, its tags and its time', () => {
    const { id, tags, marks, receivedAt, method, type, occurredAt } = renew(event);
    expect({ id, tags, marks, receivedAt, method, type, occurredAt }).toEqual({
      id: event.id,
      tags: event.tags,
      marks: event.marks,
      receivedAt: event.receivedAt,
      method: event.method,
      type: event.type,
      occurredAt: event.occurredAt,
    });
  });
});

describe('what is renewed', () => {
  it('of Stripe: ids, references, an address, an idempotency key; amounts, states, texts and times stay', () => {
    const { stripe } = FIXTURES as { stripe: WebhookEvent };
    const renewed = renew(stripe);
    expect(changedPointers(stripe, renewed)).toEqual([
      '/id',
      '/data/object/id',
      '/data/object/client_secret',
      '/data/object/customer',
      '/data/object/description',
      '/data/object/metadata/order_id',
      '/data/object/receipt_email',
      '/data/object/charges/url',
      '/request/id',
      '/request/idempotency_key',
    ]);
    const { data } = jsonOf(renewed);
    const { object } = data;
    expect(object.id).toMatch(/^pi_[0-9][A-Za-z0-9]{23}$/);
    expect(object.client_secret).toMatch(new RegExp(`^${object.id}_secret_[A-Za-z0-9]{25}$`));
    expect(object.charges.url).toBe(`/v1/charges?payment_intent=${object.id}`);
    expect(object.description).toBe(`Order 1001 for ${object.customer}`);
    expect(object.receipt_email).toMatch(/^[a-z][a-z0-9]+@[a-z]+\.test$/);
    expect(renewed.path).toBe(`/hooks/${object.customer}`);
  });

  it('of GitHub: numbers, node ids, commits and the headers that name them; branches, users and "no commit" stay', () => {
    const { github } = FIXTURES as { github: WebhookEvent };
    const renewed = renew(github);
    expect(changedPointers(github, renewed)).toEqual([
      '/number',
      '/pull_request/url',
      '/pull_request/id',
      '/pull_request/node_id',
      '/pull_request/number',
      '/pull_request/head/sha',
      '/pull_request/user/id',
      '/pull_request/user/avatar_url',
      '/repository/id',
      '/sender/node_id',
    ]);
    const body = jsonOf(renewed);
    expect(body.number).toBe(body.pull_request.number);
    expect(body.pull_request.url).toBe(`https://api.github.test/repos/octo/hello/pulls/${body.number}`);
    expect(body.pull_request.user.avatar_url).toBe(`https://avatars.github.test/u/${body.pull_request.user.id}?v=4`);
    expect(body.pull_request.head.sha).toMatch(/^[0-9a-f]{40}$/);
    expect(renewed.resource).toBe(`octo/hello/pull_request/${body.number}`);
    const headers = Object.fromEntries(renewed.headers);
    expect(headers['X-GitHub-Delivery']).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-a[0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(headers['X-GitHub-Hook-ID']).not.toBe('292430182');
    expect(headers['X-Hub-Signature-256']).toBe('sha256=00');
  });

  it('of Shopify: 64-bit numbers, their global ids in escaped text, order numbers in their clothes', () => {
    const { shopify } = FIXTURES as { shopify: WebhookEvent };
    const body = bodyOf(renew(shopify));
    const [, id = ''] = /^\{"id":(\d+),/.exec(body) ?? [];
    expect(id).toMatch(/^\d{18}$/);
    expect(body).toContain(`"gid:\\/\\/shopify\\/Order\\/${id}"`);
    const [, number = ''] = /"order_number":(\d+),/.exec(body) ?? [];
    expect(body).toContain(`"name":"#${number}"`);
    const [, user = '', domain = ''] = /"email":"(\w+)@([\w.]+)"/.exec(body) ?? [];
    expect(body).toContain(`"contact_email":"${user}\\u0040${domain}"`);
    const [, token = ''] = /"token":"(\w+)"/.exec(body) ?? [];
    expect(token).toMatch(/^[0-9a-f]{32}$/);
    expect(body).toContain(`\\/orders\\/${token}\\/authenticate?key=abc`);
    for (const same of [
      '"total_price":"404.95"',
      '"quantity":1',
      '"+13125551212"',
      '"40202"',
      '"1234 Main"',
      '1.10}\n',
    ]) {
      expect(body).toContain(same);
    }
  });

  it('of others: short ids in path and query, duplicate keys, JSON within texts, bytes that are no text', () => {
    const hmac = renew(FIXTURES['generic-hmac'] as WebhookEvent);
    const { order, tier, data } = jsonOf(hmac);
    expect(order).toMatch(/^ord_\d{9}$/);
    expect(tier).toBe('tier_1');
    expect([data.total, data.count]).toEqual([77, 77]);
    expect(hmac.path).toBe(`/hooks/orders/${data.id}`);
    expect(hmac.query).toBe(`order=${data.id}&page=7`);

    const generic = renew(FIXTURES['generic'] as WebhookEvent);
    const body = bodyOf(generic);
    const [, seven = '', same, eight = '', nine = ''] =
      /\{"id":(\d+),"ids":\[(\d+),(\d+),\d{18}\],"id":(\d+)\},\r\n/.exec(body) ?? [];
    expect(same).toBe(seven);
    expect([seven, eight, nine].every((id) => /^\d{9}$/.test(id))).toBe(true);
    expect([seven, eight, nine].toSorted()).toEqual([seven, eight, nine]);
    expect(body).toContain(`{\\"customer_id\\":\\"c-${seven}\\",\\"again\\":\\"${generic.eventId}\\"}`);
    expect(body).toContain('"lone":"\\ud800", "big":12345678901234567890123,');
    expect(body).toContain('\u00ff\u00fe\u0080');
  });

  it.each([
    ['{"user":{"name":"c-1","email":"Jo <jo@a.test>"},"by":"jo@a.test"}', '/by', '/user/email'],
    ['{"id":"x-1","link":"https://a.test/x-1?to=x-1"}', '/id', '/link'],
    ['{"order_id":"9001","text":"see 9001","url":"/orders/9001","count":9001}', '/order_id', '/url'],
    ['{"id":"urn:uuid:0f8fad5b-d9cb-469f-a165-70867728950e"}', '/id'],
    [
      '{"event_id":"evt-1","trace":"01ARZ3NDEKTSV4RRFFQ69G5FAV","note":"01ARZ3NDEKTSV4RRFFQ69G5FAV"}',
      '/event_id',
      '/note',
      '/trace',
    ],
    [
      '{"id":"e-1","order":4501234,"customer":"k100234","user":"bob","cart":12,"payment":{"order":"7"}}',
      '/customer',
      '/id',
      '/order',
      '/payment/order',
    ],
    ['{"id":"e-1","charge":"ch_7","tier":"tier_1","payment":45012345}', '/charge', '/id'],
    ['{"id":12,"user_id":0,"ratio_id":1.5,"big_id":-3,"exp_id":1e3}', '/id'],
    ['{"id":"evt-1","plan_id":"gold","provider_id":"google","zone_id":"eu-west-1"}', '/id'],
    ['{"id":"evt-1","created_by":"2024-01-01T00:00:00Z","ts":1700000000123,"amount":123456789012345678}', '/id'],
    [
      '{"id":"evt-1","hash":"0000000000000000000000000000000000000000","nil_id":"00000000-0000-0000-0000-000000000000"}',
      '/id',
    ],
    ['{"id":"a-1","signature":{"token":"a1b2c3d4e5f6a7b8c9d0","timestamp":"1"},"hmac":"a1b2c3d4e5f6a7b8c9d0"}', '/id'],
    ['{"id":"a-1","ref":"refs/heads/v1","head":{"ref":"fix-12"},"version_number":3,"phone":"16505551234"}', '/id'],
    ['{"id":"a-1","nested":"[{\\"id\\":\\"b-2\\"}]"}', '/id', '/nested'],
  ])('of %s', (json, ...pointers) => {
    const event = eventOf(json);
    expect(changedPointers(event, renew(event)).toSorted()).toEqual(pointers);
  });

  it('rewrites ids that are used as names of fields', () => {
    const body = jsonOf(
      renew(eventOf('{"id":"evt-1","order_id":"ord_12345678Ab","by":{"ord_12345678Ab":1,"other":2}}')),
    );
    expect(Object.keys(body.by)).toEqual([body.order_id, 'other']);
  });

  it('takes an address for what it is only as a whole', () => {
    const body = bodyOf(
      renew(eventOf('{"id":"e-1","ssh_url":"git@github.test:octo/hello.git","text":"ask jo@a.test"}')),
    );
    expect(body).toContain('"git@github.test:octo/hello.git","text":"ask jo@a.test"');
  });
});

describe('other kinds of bodies', () => {
  const form = ['Content-Type', 'application/x-www-form-urlencoded'] as const;

  it('renews form fields in their encoding', () => {
    const event = eventOf(
      'MessageSid=SM00000000000000000000000000000002&From=%2B14155552671&To=jo%40a.test&MessageStatus=sent',
      {
        headers: [form],
      },
    );
    const body = bodyOf(renew(event));
    expect(body).toMatch(/^MessageSid=SM\d{32}&From=%2B14155552671&To=[a-z0-9]+%40[a-z]+\.test&MessageStatus=sent$/);
    expect(body).not.toContain('SM00000000000000000000000000000002');
  });

  it("renews the JSON of GitHub's payload field, and its pointers are those of the JSON", () => {
    const json = '{"issue":{"id":444500041,"url":"https://a.test/issues/444500041"},"sender":{"id":5}}';
    const event = eventOf(`payload=${encodeURIComponent(json)}&other=1`, { headers: [form] });
    const inner = new URLSearchParams(bodyOf(renew(event))).get('payload') ?? '';
    const { issue, sender } = JSON.parse(inner);
    expect(issue.id).not.toBe(444500041);
    expect(issue.url).toBe(`https://a.test/issues/${issue.id}`);
    expect(sender.id).not.toBe(5);
    expect(bodyOf(renew(event, { keep: ['/issue/id'] }))).toContain('444500041');
  });

  it('renews XML elements by their names, and what looks like an id in text', () => {
    const event = eventOf(
      '<?xml version="1.0"?><m xmlns:a="urn:a"><a:OrderId>1001</a:OrderId><Total>1001</Total><Link>https://a.test/0f8fad5b-d9cb-469f-a165-70867728950e</Link> 0f8fad5b-d9cb-469f-a165-70867728950e</m>',
      { headers: [['Content-Type', 'text/xml']] },
    );
    const body = bodyOf(renew(event));
    expect(body).toMatch(/<a:OrderId>\d{9}<\/a:OrderId><Total>1001<\/Total>/);
    expect(body).not.toContain('0f8fad5b');
  });

  it('renews the ids before the place where JSON is cut off', () => {
    const event = eventOf('{"id":"evt-12345678","data":{"id":"evt-12345678","na');
    const { eventId } = renew({ ...event, eventId: 'evt-12345678' });
    expect(bodyOf(renew({ ...event, eventId: 'evt-12345678' }))).toBe(
      `{"id":"${eventId}","data":{"id":"${eventId}","na`,
    );
  });

  it.each([
    [
      'a compressed body',
      new Uint8Array([0x1f, 0x8b, 8, 0]),
      [JSON_TYPE, ['Content-Encoding', 'gzip']] as const,
      /compressed \(gzip\)/,
    ],
    ['a binary body', new Uint8Array([1, 0, 2]), [], /not text/],
  ])('leaves %s alone and says so, but renews its headers', (...[, bytes, headers, reason]) => {
    const event = eventOf(bytes, { headers: [...headers, ['svix-id', 'msg_1a2b3c4d'], ['svix-timestamp', '1']] });
    const family = familyOf([event]);
    const renewed = family.identity('r').apply(event);
    expect(renewed.payload).toEqual(event.payload);
    expect(renewed.eventId).not.toBe('msg_1a2b3c4d');
    expect(family.limits).toHaveLength(1);
    expect(family.identity('r').limits[0]).toMatch(reason);
  });

  it('leaves an empty body, and secrets in headers, alone', () => {
    const event = eventOf('', {
      headers: [
        ['Authorization', 'Bearer sk_live_a1b2c3d4e5f6'],
        ['X-Gitlab-Token', 'a1b2c3d4e5f6a7b8c9d0'],
        ['X-Webhook-Secret', 'a1b2c3d4e5f6a7b8c9d0'],
        ['X-Request-Id', '0f8fad5b-d9cb-469f-a165-70867728950e'],
      ],
    });
    const { headers, payload } = renew(event);
    expect(payload).toHaveLength(0);
    expect(headers.slice(0, 3)).toEqual(event.headers.slice(0, 3));
    expect(headers[3]).not.toEqual(event.headers[3]);
  });
});

describe('a family', () => {
  const created = eventOf('{"id":"evt_1","data":{"id":"sub_9","customer":"cus_7","version":1}}', { id: 'a' });
  const updated = eventOf('{"id":"evt_2","data":{"id":"sub_9","customer":"cus_7","version":2}}', { id: 'b' });

  it('has the same new id for the same old one in every event', () => {
    const identity = familyOf([created, updated]).identity('r');
    const [first, second] = [created, updated].map((event) => jsonOf(identity.apply(event)));
    expect(first.data).toEqual({ ...second.data, version: 1 });
    expect(first.data.id).not.toBe('sub_9');
    expect(first.id).not.toBe(second.id);
    expect(first.data.customer).toBe(identity.map.get('cus_7'));
  });

  it('keeps the order of ids of one shape', () => {
    const numbers = fc.uniqueArray(fc.oneof(fc.bigInt(1n, 999n), fc.bigInt(1n, 2n ** 40n), fc.bigInt(1n, 10n ** 20n)), {
      minLength: 2,
      maxLength: 30,
    });
    const compare = (a: bigint, b: bigint) => (a < b ? -1 : Number(a > b));
    fc.assert(
      fc.property(numbers, fc.nat(), (ids, seed) => {
        const { map } = familyOf([eventOf(`{"ids":[${ids.join(',')}]}`)], { seed }).identity('r');
        const renewed = ids.toSorted(compare).map((id) => BigInt(map.get(String(id)) ?? 0));
        expect(renewed).toEqual(renewed.toSorted(compare));
        expect(new Set(renewed).size).toBe(ids.length);
      }),
    );
  });

  it('keeps the order of texts of one shape', () => {
    const texts = fc.uniqueArray(fc.stringMatching(/^[A-Z][0-9]{3}[a-z]{4}$/), { minLength: 2, maxLength: 30 });
    fc.assert(
      fc.property(texts, (ids) => {
        const { map } = familyOf([eventOf(JSON.stringify({ ids: ids.map((id) => `k_${id}`) }))]).identity('r');
        const renewed = ids.toSorted().map((id) => map.get(`k_${id}`));
        expect(renewed).toEqual(renewed.toSorted());
      }),
    );
  });

  it('keeps the length class of numbers', () => {
    const classes: ReadonlyArray<readonly [bigint, bigint]> = [
      [1n, 999_999_999n],
      [1_000_000_000n, 2n ** 31n - 1n],
      [2n ** 31n, 9_999_999_999n],
      [10n ** 14n, 10n ** 15n - 1n],
      [10n ** 15n, 2n ** 53n - 1n],
      [2n ** 53n, 10n ** 16n - 1n],
      [10n ** 18n, 2n ** 63n - 1n],
      [2n ** 63n, 10n ** 19n - 1n],
    ];
    for (const [lowest, highest] of classes) {
      fc.assert(
        fc.property(fc.bigInt(lowest, highest), fc.nat(), (id, seed) => {
          const renewed = BigInt(
            familyOf([eventOf(`{"id":${id}}`)], { seed })
              .identity('r')
              .map.get(String(id)) ?? 0,
          );
          expect(renewed).not.toBe(id);
          expect(renewed >= lowest && renewed <= highest).toBe(true);
          if (id >= 10n ** 8n) expect(String(renewed)).toHaveLength(String(id).length);
        }),
        { numRuns: 20 },
      );
    }
  });

  it.each([
    ['evt_1', /^evt_\d{9}$/],
    ['c-9a', /^c-[0-9][a-z0-9]{9}$/],
    ['U074G5E1ANR', /^U[0-9A-Z]{10}$/],
    ['SM0123456789abcdef0123456789abcdef', /^SM[0-9a-f]{32}$/],
    ['0F8FAD5B-D9CB-469F-A165-70867728950E', /^[0-9A-F]{8}-[0-9A-F]{4}-4[0-9A-F]{3}-A[0-9A-F]{3}-[0-9A-F]{12}$/],
    ['018f4d3a-7c1e-7abc-8def-0123456789ab', /^018f4d3a-7c1e-7[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$/],
    ['01ARZ3NDEKTSV4RRFFQ69G5FAV', /^01ARZ3NDEK[0-9A-HJKMNP-TV-Z]{16}$/],
    ['0042', /^0\d{9}$/],
    ['MDQ6VXNlcjIxMDMxMDY3MA==', /^MD[A-Za-z0-9]{20}==$/],
    ['gid://shopify/LineItem/866550311766439020', /^gid:\/\/shopify\/LineItem\/\d{18}$/],
    ['ORD-2024-0007', /^ORD-2024-0\d{9}$/],
    ['1f0a2b3c4d5e', /^[0-9a-f]{12}$/],
  ])('keeps the shape of %s', (id, shape) => {
    const renewed = familyOf([eventOf(JSON.stringify({ id }))])
      .identity('r')
      .map.get(id);
    expect(renewed).toMatch(shape);
    expect(renewed).not.toBe(id);
  });

  it('has room for thousands of rounds without meeting one id twice', () => {
    const family = familyOf([eventOf('{"id":7,"order_id":"ord_1"}')]);
    const ids = Array.from({ length: 3000 }, (_, index) => family.identity(`round-${index}`).map.get('ord_1'));
    expect(new Set(ids).size).toBeGreaterThanOrEqual(2999);
  });

  it('renews an event that is not its own by what it knows', () => {
    const identity = familyOf([created]).identity('r');
    const other = eventOf('{ "id" : "evt_1", "data": { "id": "sub_9" } }');
    expect(jsonOf(identity.apply(other)).data.id).toBe(identity.map.get('sub_9'));
  });
});

describe('--fresh and --keep', () => {
  const event = eventOf(
    '{"id":"evt-12345","account":{"id":"acct_1a2b3c4d","slug":"my-shop"},"sku":"shirt","lines":[{"code":"A1"}],"url":"/v1/acct_1a2b3c4d"}',
  );

  it('renews what is named, even a mere word, wherever it is the whole text', () => {
    const body = jsonOf(renew(event, { fresh: ['/account/slug', '/lines/0/code'] }));
    expect(body.account.slug).toMatch(/^my-[a-z]{10}$/);
    expect(body.lines[0].code).toMatch(/^A\d{9}$/);
    expect(body.sku).toBe('shirt');
  });

  it('keeps what is named, everywhere', () => {
    const body = jsonOf(renew(event, { keep: ['/account/id'] }));
    expect(body.account.id).toBe('acct_1a2b3c4d');
    expect(body.url).toBe('/v1/acct_1a2b3c4d');
    expect(body.id).not.toBe('evt-12345');
  });

  it('means all below a pointer', () => {
    const body = jsonOf(renew(event, { keep: ['/account'], fresh: ['/lines'] }));
    expect(body.account.id).toBe('acct_1a2b3c4d');
    expect(body.lines[0].code).not.toBe('A1');
  });

  it('keeps one id without keeping others that share a piece of it', () => {
    const shared = eventOf('{"id":"evt_00000000000000","customer":"cus_00000000000000"}');
    const body = jsonOf(renew(shared, { keep: ['/customer'] }));
    expect(body.customer).toBe('cus_00000000000000');
    expect(body.id).not.toBe('evt_00000000000000');
  });

  it('reaches headers', () => {
    const { headers } = FIXTURES['github'] as WebhookEvent;
    const renewed = renew(FIXTURES['github'] as WebhookEvent, { keep: ['header:X-GitHub-Hook-ID'] });
    expect(renewed.headers[3]).toEqual(headers[3]);
  });

  it.each([
    [{ fresh: ['/nope'] }, '"/nope" matches no text or number in any of the events (--fresh).', 'begins at 0'],
    [{ keep: ['/account/i'] }, '"/account/i" matches no text or number in any of the events (--keep).', 'show ID'],
    [{ keep: ['account.id'] }, '"account.id" matches no text', 'Write it as a JSON pointer'],
  ])('refuses a pointer that matches nothing: %j', (options, message, hint) => {
    let error: unknown;
    try {
      familyOf([event], options);
    } catch (thrown) {
      error = thrown;
    }
    expect(error).toBeInstanceOf(UserError);
    expect((error as UserError).message).toContain(message);
    expect((error as UserError).hint).toContain(hint);
  });

  it('names what was renewed and what was taken for a word', () => {
    const family = familyOf([eventOf('{"id":"evt-1","plan_id":"gold","user_id":3}')]);
    expect(family.candidates).toEqual(['/id', '/user_id']);
    expect(family.considered).toContainEqual({ pointer: '/plan_id', key: 'plan_id', value: 'gold', renewed: false });
  });
});
