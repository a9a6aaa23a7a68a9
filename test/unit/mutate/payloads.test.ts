import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Headers, WebhookEvent } from '../../../src/model/event.ts';
import { factsOf } from '../../../src/providers/locate.ts';
import { bodyOf, eventOf, familyOf, JSON_TYPE, leavesOf } from './events.ts';

const FOLDER = process.env['WEBHOOK_REPLAY_PAYLOADS'] ?? '';
const SKIPPED = !existsSync(FOLDER);
const TITLE = SKIPPED ? 'real payloads (skipped: WEBHOOK_REPLAY_PAYLOADS names no folder)' : 'real payloads';

function wireEvents(): ReadonlyArray<readonly [name: string, event: WebhookEvent]> {
  if (SKIPPED) return [['none', eventOf('{}')]];
  const folder = join(FOLDER, 'wire');
  return readdirSync(folder)
    .filter((name) => name.endsWith('.http'))
    .map((name) => [name, wireEvent(readFileSync(join(folder, name)))]);
}

function wireEvent(bytes: Buffer): WebhookEvent {
  const end = bytes.indexOf('\r\n\r\n');
  const [first = '', ...lines] = bytes.subarray(0, end).toString('latin1').split('\r\n');
  const [path = '', query = null] = (first.split(' ')[1] ?? '').split('?');
  const headers = lines.map((line): Headers[number] => {
    const colon = line.indexOf(':');
    return [line.slice(0, colon), line.slice(colon + 1).trim()];
  });
  return eventOf(new Uint8Array(bytes.subarray(end + 4)), { headers, path, query });
}

const UUID = '0f8fad5b-d9cb-469f-a165-70867728950e';

const SENT_WITH: Readonly<Record<string, Headers>> = {
  stripe: [JSON_TYPE, ['Stripe-Signature', 't=1,v1=00']],
  github: [JSON_TYPE, ['X-GitHub-Event', 'issues'], ['X-GitHub-Delivery', UUID]],
  shopify: [JSON_TYPE, ['X-Shopify-Topic', 'orders/create'], ['X-Shopify-Event-Id', UUID]],
};

function bodies(): ReadonlyArray<readonly [name: string, event: WebhookEvent]> {
  if (SKIPPED) return [['none', eventOf('{}')]];
  return Object.entries(SENT_WITH).flatMap(([provider, headers]) =>
    readdirSync(join(FOLDER, provider), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.json') && !/api-|trigger|response/.test(name))
      .map((name) => {
        const bytes = new Uint8Array(readFileSync(join(FOLDER, provider, name)));
        return [`${provider}/${name}`, eventOf(bytes, { headers })] as const;
      }),
  );
}

function parse(event: WebhookEvent): unknown {
  return JSON.parse(
    Buffer.from(event.payload)
      .toString('utf8')
      .replace(/^\ufeff/, ''),
  );
}

/** What a receiver computes with; none of it may change. */
const FACTS =
  /\/(?:\w*amount\w*|currency|type|object|created|created_at|updated_at|status|state|action|livemode|api_version|quantity|\w*price|\w*_count|email_verified|phone|zip|title|login|name)$/;

function expectRenewed(pointer: string, value: unknown, now: unknown): void {
  expect([pointer, typeof now]).toEqual([pointer, typeof value]);
  // A name may hold an order number or an address, Stripe's `price` is an id.
  const isFact = FACTS.test(pointer) && !/#|@|^price_/.test(String(value));
  if (isFact || typeof value === 'boolean' || value === null) expect([pointer, now]).toEqual([pointer, value]);
  if (!/\/email$/.test(pointer) || !/^[^@\s]+@[^@\s]+\.\w+$/.test(String(value))) return;
  expect(now).not.toBe(value);
  expect(now).toMatch(/\.test$/);
}

describe.skipIf(SKIPPED)(TITLE, () => {
  it.each(wireEvents())('%s: everything but ids is the same to the byte', (_, event) => {
    const identity = familyOf([event]).identity('r');
    const renewed = identity.apply(event);
    expect(identity.toOriginal(bodyOf(renewed))).toBe(bodyOf(event));
    expect(renewed.headers.map(([name, value]) => [name, identity.toOriginal(value)])).toEqual(event.headers);
    expect({ ...renewed, ...factsOf(renewed) }).toEqual(renewed);
    if (event.eventId !== undefined) expect(renewed.eventId).not.toBe(event.eventId);
    expect(new Set(identity.map.values()).size).toBe(identity.map.size);
  });

  it.each(bodies())('%s: the same JSON but for its ids and addresses', (_, event) => {
    const identity = familyOf([event]).identity('r');
    const renewed = identity.apply(event);
    const after = leavesOf(parse(renewed));
    for (const [pointer, value] of leavesOf(parse(event))) expectRenewed(pointer, value, after.get(pointer));
    expect(identity.toOriginal(bodyOf(renewed))).toBe(bodyOf(event));
    if (event.eventId !== undefined) expect(renewed.eventId).not.toBe(event.eventId);
    const isNamed = event.resource?.includes('/refs/') === false && /\d/.test(event.resource.split('/').at(-1) ?? '');
    if (isNamed) expect(renewed.resource).not.toBe(event.resource);
    expect({ ...renewed, ...factsOf(renewed) }).toEqual(renewed);
  });
});
