import { describe, expect, it } from 'vitest';
import { FAULTS } from '../../src/fixtures/receivers/faults.ts';
import { RECEIVERS } from '../../src/fixtures/receivers/start.ts';
import { orderEvent } from '../support/order-event.ts';
import { post, postTogether } from '../support/raw-post.ts';
import { type RunningReceiver, startReceiverProcess } from '../support/receiver.ts';
import { tempFolder } from '../support/temp-folder.ts';

/** Sends what shows the fault; what was wrong then, in words, or `undefined` when all was right. */
type Sequence = (receiver: RunningReceiver) => Promise<string | undefined>;

/** One request sequence per fault of the list. */
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
  'stale-overwrite': async ({ url, rows }) => {
    await post(url, orderEvent({ status: 'shipped', at: '11:00:00' }));
    await post(url, orderEvent({ event: 'evt_0', status: 'paid', at: '10:00:00' }));
    return rows('orders')[0]?.['status'] === 'paid' ? 'an older state won' : undefined;
  },
  'adds-on-duplicate': async ({ url, rows }) => {
    await post(url, orderEvent());
    await post(url, orderEvent());
    const [total] = rows('totals');
    return total?.['total'] === 1000 && rows('orders').length === 1 ? 'the total grew twice, without a row' : undefined;
  },
};

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

const folder = tempFolder();

describe.each(FAULTS.map((fault) => [fault.id, fault] as const))('the fault "%s"', (id, fault) => {
  const designs = RECEIVERS.filter((design) => design.takes(fault)).map(({ name }) => name);
  const show = SEQUENCES[id] as Sequence;

  it('has a base that it fits into', () => {
    expect(designs).toContain(fault.base);
  });

  it.each(designs)('shows in the receiver "%s", and the same requests find nothing without it', async (design) => {
    const wrong = await startReceiverProcess(folder, [design, '--fault', id]);
    expect(await show(wrong)).toEqual(expect.any(String));
    const right = await startReceiverProcess(folder, [design]);
    expect(await show(right)).toBeUndefined();
  });
});

it('has no sequence for a fault that is not there', () => {
  expect(Object.keys(SEQUENCES)).toEqual(FAULTS.map(({ id }) => id));
});
