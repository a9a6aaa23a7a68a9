import { describe, expect, it } from 'vitest';
import { FIXTURES, findFixture } from '../../../src/fixtures/fixtures.ts';
import type { WebhookEvent } from '../../../src/model/event.ts';
import { MALFORMED } from '../../../src/mutate/changes/malformed.ts';
import { ODD_BYTES } from '../../../src/mutate/changes/odd-bytes.ts';
import { POISON } from '../../../src/mutate/changes/poison.ts';
import { CHANGES, changeEvent } from '../../../src/mutate/changes.ts';
import { factsOf } from '../../../src/providers/locate.ts';

const EVENTS = FIXTURES.map(({ name }): [string, WebhookEvent] => [name, { ...findFixture(name), id: name }]);
const parse = ({ payload }: Pick<WebhookEvent, 'payload'>) => JSON.parse(Buffer.from(payload).toString('utf8'));
const changed = (event: WebhookEvent, id: string) => changeEvent(event, id) as WebhookEvent;

describe.each(EVENTS)('%s', (_name, event) => {
  it('has the same content in other bytes when it is reserialised', () => {
    const other = changed(event, 'reserialised');
    expect(Buffer.from(other.payload).equals(event.payload)).toBe(false);
    expect(parse(other)).toEqual(parse(event));
  });

  it.each(ODD_BYTES.map(({ id }) => id))('keeps its own content with %s', (id) => {
    const other = changed(event, id);
    expect(Buffer.from(other.payload).equals(event.payload)).toBe(false);
    const { x_webhook_replay: _, ...content } = parse(other);
    expect(content).toEqual(parse(event));
  });

  it('keeps its ids but not its type as an unknown one', () => {
    const other = changed(event, 'unknown-type');
    const [before, after] = [factsOf(event, event.provider), factsOf(other, event.provider)];
    expect(after.type).toMatch(/webhook_replay/);
    expect({ eventId: after.eventId, deliveryId: after.deliveryId }).toEqual({
      eventId: before.eventId,
      deliveryId: before.deliveryId,
    });
  });

  it('keeps its ids and its type but not its content as poison, in at least one way', () => {
    const ways = POISON.flatMap(({ id }) => changeEvent(event, id) ?? []);
    // A star tells of nothing but the repository.
    if (event.id !== 'github/unknown-type') expect(ways.length).toBeGreaterThan(0);
    const named = (one: WebhookEvent) => {
      const { type, eventId, deliveryId } = factsOf(one, event.provider);
      return { type, eventId, deliveryId };
    };
    for (const other of ways) {
      expect(named(other)).toEqual(named(event));
      expect(parse(other)).not.toEqual(parse(event));
    }
  });

  it.each(MALFORMED.map(({ id }) => id))('is no object any more when it is malformed as %s', (id) => {
    const text = Buffer.from(changed(event, id).payload).toString('utf8');
    const value = (() => {
      try {
        return JSON.parse(text) as unknown;
      } catch {
        return undefined;
      }
    })();
    expect(value === undefined || Array.isArray(value)).toBe(true);
  });
});

describe('poison', () => {
  it('puts null in the place of the resource, and objects in the place of amounts', () => {
    const event = { ...findFixture('generic-hmac/order.paid'), id: 'paid' };
    const { data, ...rest } = parse(event);
    expect(parse(changed(event, 'resource-null'))).toEqual({ ...rest, data: null });
    const { data: odd } = parse(changed(event, 'amount-object'));
    expect(odd).toEqual({ ...data, amount: {}, items: [{ ...data.items[0], quantity: {}, unit_amount: {} }] });
  });

  it('is not possible without a resource of its own or an amount', () => {
    const payload = Buffer.from('{"id":"evt_1","type":"ping","data":[{"status":"paid"}]}');
    const event = { ...(EVENTS[0]?.[1] as WebhookEvent), payload };
    for (const { id } of POISON) expect(changeEvent(event, id)).toBeUndefined();
  });
});

describe('the list of changes', () => {
  it('has each id once', () => {
    expect(new Set(CHANGES.map(({ id }) => id)).size).toBe(CHANGES.length);
  });

  it('leaves a body that is no JSON object alone', () => {
    const form = { ...(EVENTS[0]?.[1] as WebhookEvent), payload: Buffer.from('a=1&b=2') };
    for (const id of ['reserialised', ...ODD_BYTES.map((change) => change.id)])
      expect(changeEvent(form, id)).toBeUndefined();
  });

  it('refuses a plan that names a change which does not exist', () => {
    expect(() => changeEvent(EVENTS[0]?.[1] as WebhookEvent, 'sideways')).toThrow(/sideways/);
  });
});
