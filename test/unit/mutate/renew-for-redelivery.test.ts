import { describe, expect, it } from 'vitest';
import { createPlaceholders } from '../../../src/mutate/placeholders.ts';
import { renewForRedelivery } from '../../../src/mutate/renew-for-redelivery.ts';
import { PROVIDERS } from '../../../src/providers/list.ts';
import { seededRandom } from '../../../src/support/random.ts';
import { eventOf } from './events.ts';
import { FIXTURES } from './fixtures.ts';

const random = () => seededRandom(1, 'test');
const provider = { retry: { automatic: true, renewedHeaders: ['X-Delivery-Id', 'x-attempt'] } };

describe('renewForRedelivery', () => {
  it('gives new values of the same shape to what the provider renews, and to nothing else', () => {
    const event = {
      ...eventOf('{"id":"evt-1"}', {
        headers: [
          ['x-delivery-id', 'dlv_1AbCdEfGhIjK'],
          ['X-Attempt', '1'],
          ['X-Other', 'dlv_1AbCdEfGhIjK'],
        ],
      }),
      deliveryId: 'dlv_1AbCdEfGhIjK',
    };
    const renewed = renewForRedelivery(event, { provider, attempt: 3, random });
    const id = renewed.headers[0]?.[1];
    expect(id).toMatch(/^dlv_\d[A-Za-z0-9]{11}$/);
    expect(id).not.toBe('dlv_1AbCdEfGhIjK');
    expect(renewed.deliveryId).toBe(id);
    expect(renewed.headers[1]).toEqual(['X-Attempt', '3']);
    expect(renewed.headers[2]).toEqual(event.headers[2]);
    expect(renewed.payload).toBe(event.payload);
    expect(renewed.eventId).toBe('evt-1');
  });

  it.each([
    ['0f8fad5b-d9cb-469f-a165-70867728950e', /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-a[0-9a-f]{3}-[0-9a-f]{12}$/],
    ['1234567890', /^\d{10}$/],
    ['first', /^[a-z]{10}$/],
  ])('renews %s', (value, shape) => {
    const event = eventOf('{}', { headers: [['X-Delivery-Id', value]] });
    expect(renewForRedelivery(event, { provider, attempt: 2, random }).headers[0]?.[1]).toMatch(shape);
  });

  it('draws the same from the same chance', () => {
    const event = FIXTURES['generic-hmac'] ?? eventOf('{}');
    const genericHmac = PROVIDERS.find(({ id }) => id === 'generic-hmac') ?? provider;
    const again = () => renewForRedelivery(event, { provider: genericHmac, attempt: 2, random });
    expect(again()).toEqual(again());
    expect(again().deliveryId).not.toBe(event.deliveryId);
    expect(again().eventId).toBe(event.eventId);
  });

  it('gives the event itself back where the provider renews nothing', () => {
    const event = eventOf('{}');
    expect(renewForRedelivery(event, { provider: { retry: { automatic: false } }, attempt: 2, random })).toBe(event);
  });
});

describe('createPlaceholders', () => {
  it('numbers events, deliveries of one event alike', () => {
    const events = [
      { id: 'a', provider: 'stripe', eventId: 'evt_1' },
      { id: 'b', provider: 'stripe', eventId: 'evt_2' },
      { id: 'c', provider: 'stripe', eventId: 'evt_1' },
      { id: 'd', provider: 'generic' },
    ];
    expect([...createPlaceholders(events)]).toEqual([
      ['a', '<event-1>'],
      ['b', '<event-2>'],
      ['c', '<event-1>'],
      ['d', '<event-3>'],
    ]);
  });
});
