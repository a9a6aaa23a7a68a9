import { createHmac } from 'node:crypto';
import { connect } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import Stripe from 'stripe';
import { describe, expect, it, vi } from 'vitest';
import { FAULTS } from '../../src/fixtures/receivers/faults/faults.ts';
import { RECEIVERS } from '../../src/fixtures/receivers/start.ts';
import { type OrderWords, orderEvent } from '../support/order-event.ts';
import { post, postTogether } from '../support/raw-post.ts';
import { type RunningReceiver, startReceiverProcess } from '../support/receiver.ts';
import { tempFolder } from '../support/temp-folder.ts';

/** Sends what shows the fault; what was wrong then, in words, or `undefined` when all was right. */
type Sequence = (receiver: RunningReceiver) => Promise<string | undefined>;

const SECRET = 'test-secret-of-the-shop';
const SIGNED = { generic: ['--provider', 'generic-hmac'], stripe: ['--provider', 'stripe'] };

/** One request sequence per fault of the list that requests alone can show. */
const SEQUENCES: Readonly<Record<string, Sequence>> = {
  'no-guard': async ({ url, rows }) => {
    await post(url, orderEvent());
    await post(url, orderEvent());
    return rows('orders').length > 1 ? 'a duplicate was a second order' : undefined;
  },
  'check-then-act-0ms': race,
  'check-then-act-1ms': race,
  'check-then-act-10ms': race,
  'key-delivery-id': async ({ url, rows }) => {
    await post(url, orderEvent(), { 'x-delivery-id': 'd-1' });
    await post(url, orderEvent(), { 'x-delivery-id': 'd-2' });
    return rows('orders').length > 1 ? 'a redelivery was a second order' : undefined;
  },
  'key-body-hash': async ({ url, rows }) => {
    await post(url, orderEvent());
    await post(url, orderEvent().replaceAll(',"', ', "'));
    return rows('orders').length > 1 ? 'the same event with spaces was a second order' : undefined;
  },
  'key-content': distinct,
  'alike-within-200ms': distinct,
  'window-2s': async ({ url, rows }) => {
    await post(url, orderEvent());
    await post(url, orderEvent());
    expect(rows('orders')).toHaveLength(1);
    await pause(2100);
    await post(url, orderEvent());
    return rows('orders').length > 1 ? 'a duplicate after two seconds was a second order' : undefined;
  },
  'last-20-ids': async ({ url, rows }) => {
    await post(url, orderEvent());
    for (let n = 2; n <= 41; n++) await post(url, orderEvent({ event: `evt_${n}`, order: `ord_${n}` }));
    await post(url, orderEvent());
    return rows('orders').length > 41 ? 'a duplicate behind forty others was a second order' : undefined;
  },
  'adds-on-duplicate': async ({ url, rows }) => {
    await post(url, orderEvent());
    await post(url, orderEvent());
    const [total] = rows('totals');
    return total?.['total'] === 1000 && rows('orders').length === 1 ? 'the total grew twice, without a row' : undefined;
  },
  'lost-update': async ({ url, rows }) => {
    await post(url, orderEvent({ event: 'evt_0', status: 'pending', at: '09:00:00' }));
    const updates = Array.from({ length: 4 }, (_, n) => update({ event: `evt_${n + 1}`, at: `1${n}:00:00` }));
    await postTogether(
      url,
      updates.map((body) => ({ body })),
    );
    const events = rows('orders')[0]?.['events'];
    return events === 5 ? undefined : `of five events ${events} were counted`;
  },
  'error-after-effect': async ({ url, rows }) => {
    const { status } = await post(url, orderEvent());
    await post(url, orderEvent());
    return rows('orders').length > 1 ? `the retry after ${status} was a second order` : undefined;
  },
  'lost-on-cut': async ({ url, rows }) => {
    for (let round = 1; round <= 20; round++) {
      const body = orderEvent({ event: `evt_${round}`, order: `ord_${round}` });
      await cutOff(url, body, () => rows('webhook_events').length === round);
      expect(await post(url, body)).toMatchObject({ status: 200 });
      await expect.poll(() => rows('webhook_events').length).toBe(round);
      await pause(50);
      if (rows('orders').length < round) return 'the retry was acknowledged, and there is no order';
    }
    return undefined;
  },
  'global-lock': async ({ url }) => {
    const bodies = Array.from({ length: 5 }, (_, n) => orderEvent({ event: `evt_${n}`, order: `ord_${n}` }));
    const startMs = performance.now();
    await postTogether(
      url,
      bodies.map((body) => ({ body })),
    );
    return performance.now() - startMs > 1450 ? 'five at one moment waited for each other' : undefined;
  },
  'stale-overwrite': async ({ url, rows }) => {
    await post(url, orderEvent({ status: 'shipped', at: '11:00:00' }));
    await post(url, orderEvent({ event: 'evt_0', status: 'paid', at: '10:00:00' }));
    return rows('orders')[0]?.['status'] === 'paid' ? 'an older state won' : undefined;
  },
  'update-dropped': async ({ url, rows }) => {
    expect(await post(url, update({ status: 'shipped', at: '11:00:00' }))).toMatchObject({ status: 200 });
    await post(url, orderEvent({ event: 'evt_0', type: 'order.created', status: 'pending', at: '10:00:00' }));
    return rows('orders')[0]?.['status'] === 'pending' ? 'the update before its create was lost' : undefined;
  },
  resurrects: async ({ url, rows }) => {
    await post(url, orderEvent({ event: 'evt_1', type: 'order.created', status: 'pending', at: '10:00:00' }));
    await post(url, orderEvent({ event: 'evt_3', type: 'order.cancelled', status: 'cancelled', at: '12:00:00' }));
    await post(url, update({ event: 'evt_2', status: 'paid', at: '11:00:00' }));
    return rows('orders')[0]?.['status'] === 'paid' ? 'a cancelled order came back' : undefined;
  },
  'duplicate-409': async ({ url }) => {
    await post(url, orderEvent());
    const { status } = await post(url, orderEvent());
    return status === 409 ? 'the duplicate was answered 409' : undefined;
  },
  'no-signature-check': async ({ url, rows }) => {
    const answers = [
      await post(url, orderEvent({ event: 'evt_1', order: 'ord_1' })),
      await post(url, orderEvent({ event: 'evt_2', order: 'ord_2' }), signed(orderEvent(), 'another-secret')),
      await post(url, orderEvent({ event: 'evt_3', order: 'ord_3' }), signed(orderEvent())),
    ];
    expect(rows('orders')).toHaveLength(answers.filter(({ status }) => status === 200).length);
    return rows('orders').length > 0 ? `${rows('orders').length} of 3 forged events were orders` : undefined;
  },
  'signature-over-json': async ({ url }) => {
    const compact = orderEvent();
    expect(await post(url, compact, signed(compact))).toMatchObject({ status: 200 });
    const odd = orderEvent({ event: 'evt_2' }).replace('"amount":500', '"amount": 500.0, "note": "caf\\u00e9"');
    const { status } = await post(url, odd, signed(odd));
    return status === 401 ? 'odd but validly signed bytes were refused' : undefined;
  },
  'stale-accepted': async ({ url, rows }) => {
    const payload = '{"id":"evt_1","type":"payment_intent.succeeded","data":{"object":{"id":"pi_1","amount":500}}}';
    const timestamp = Math.floor(Date.now() / 1000) - 3600;
    const header = Stripe.webhooks.generateTestHeaderString({ payload, secret: SECRET, timestamp });
    await post(url, payload, { 'stripe-signature': header });
    return rows('orders').length === 1 ? 'a delivery signed an hour ago was an order' : undefined;
  },
  'malformed-500': async ({ url }) => {
    const { status } = await post(url, orderEvent().slice(0, 40));
    return status === 500 ? 'half of an event was answered 500' : undefined;
  },
  'unknown-type-500': async ({ url }) => {
    const { status } = await post(url, orderEvent({ type: 'loyalty.tier_recalculated' }));
    return status === 500 ? 'an unknown type was answered 500' : undefined;
  },
  'job-without-event-id': async ({ url, rows }) => {
    await post(url, orderEvent());
    await post(url, orderEvent());
    await vi.waitFor(() => expect(rows('jobs')).toEqual([]), 20_000);
    return rows('orders').length > 1 ? 'a duplicate was a second order' : undefined;
  },
  'poison-blocks': async ({ url, rows }) => {
    await post(url, orderEvent({ event: 'evt_0', order: 'ord_0', amount: -1 }));
    await post(url, orderEvent());
    const booked = vi.waitFor(() => expect(rows('orders')).toHaveLength(1), { timeout: 5000, interval: 50 });
    return booked.then(
      () => undefined,
      () => 'an order waits behind one that cannot be booked',
    );
  },
  'overflow-drops': async ({ url, rows }) => {
    // It fails, and waits in the one place.
    await post(url, orderEvent({ event: 'evt_0', order: 'ord_0', amount: -1 }));
    await post(url, orderEvent());
    const queued = rows('jobs').some((job) => job['job_id'] === 'evt_1');
    return queued || rows('orders').length > 0 ? undefined : 'an event was acknowledged and is nowhere';
  },
};

const update = (words: OrderWords) => orderEvent({ event: 'evt_u', type: 'order.updated', ...words });

function signed(body: string, secret = SECRET): Record<string, string> {
  return { 'x-signature': createHmac('sha256', secret).update(body).digest('hex') };
}

/** Two orders of the same thing by two customers, at one moment. */
async function distinct({ url, rows }: RunningReceiver): Promise<string | undefined> {
  await postTogether(url, [
    { body: orderEvent({ event: 'evt_1', order: 'ord_1' }) },
    { body: orderEvent({ event: 'evt_2', order: 'ord_2' }) },
  ]);
  return rows('orders').length === 1 ? 'the second of two orders was lost' : undefined;
}

/** Two of the same, released together, until one pair was processed twice; the narrowest window needs a few pairs. */
async function race({ url, rows }: RunningReceiver): Promise<string | undefined> {
  for (let round = 1; round <= 100; round++) {
    const body = orderEvent({ event: `evt_${round}`, order: `ord_${round}` });
    const answers = await postTogether(url, [{ body }, { body }]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    if (rows('orders').length > round) return 'two at one moment were two orders';
  }
  return undefined;
}

/** Resets the connection as soon as the receiver has begun: not before, since a reset may take unread bytes with it. */
async function cutOff(url: string, body: string, hasBegun: () => boolean): Promise<void> {
  const { hostname, port, pathname } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port) });
  socket.on('error', () => {});
  socket.write(`POST ${pathname} HTTP/1.1\r\nHost: shop\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
  await expect.poll(hasBegun, { interval: 1 }).toBe(true);
  socket.resetAndDestroy();
}

function signatureWords({ needs }: (typeof FAULTS)[number]): readonly string[] {
  if (needs === undefined) return [];
  return [...(needs === 'secret' ? SIGNED.generic : SIGNED.stripe), '--secret', SECRET];
}

/** The others show only when the receiver is killed or its dependencies fail: receiver-crash-faults.test.ts. */
const SHOWN = FAULTS.filter(({ flags }) => flags === undefined);

const folder = tempFolder();

describe.each(SHOWN.map((fault) => [fault.id, fault] as const))('the fault "%s"', (id, fault) => {
  const designs = RECEIVERS.filter((design) => design.takes(fault)).map(({ name }) => name);
  const show = SEQUENCES[id] as Sequence;

  it('has a base that it fits into, and a trial', () => {
    expect(designs).toContain(fault.base);
    expect(fault.trials.length).toBeGreaterThan(0);
  });

  it.each(designs)('shows in the receiver "%s", and the same requests find nothing without it', async (design) => {
    const wrong = await startReceiverProcess(folder, [design, '--fault', id, ...signatureWords(fault)]);
    expect(await show(wrong)).toEqual(expect.any(String));
    const right = await startReceiverProcess(folder, [design, ...signatureWords(fault)]);
    expect(await show(right)).toBeUndefined();
  });

  it('shows as well when tables, columns and the route have other names', async () => {
    const words = ['--fault', id, '--rename', '7', ...signatureWords(fault)];
    const renamed = await startReceiverProcess(folder, words);
    expect(await show(renamed)).toEqual(expect.any(String));
  });
});

it('has no sequence for a fault that is not there', () => {
  expect(Object.keys(SEQUENCES)).toEqual(SHOWN.map(({ id }) => id));
});

it('can put every fault into the receiver "transaction", which is right without it, but for that of a claim', () => {
  const transaction = RECEIVERS.find(({ name }) => name === 'transaction');
  expect(FAULTS.filter((fault) => !transaction?.takes(fault)).map(({ id }) => id)).toEqual([
    'claim-never-released',
    'job-without-event-id',
    'acked-before-queued',
    'poison-blocks',
    'overflow-drops',
  ]);
});
