import { describe, expect, it } from 'vitest';
import { judge } from '../../../src/judge/judge.ts';
import type { Cell } from '../../../src/model/effect.ts';
import {
  added,
  attempt,
  changed,
  inserted,
  type Round,
  removed,
  type Story,
  sqlTime,
  tell,
  together,
} from './story.ts';

/** An order as receivers keep them: generated key, generated token, times of the receiver's clock. */
function order(round: Round, more: Readonly<Record<string, Cell>> = {}) {
  return inserted(round, 'orders', {
    reference: round.id('order_1'),
    amount: 2000,
    status: 'paid',
    token: round.token(),
    created_at: sqlTime(round.nowMs),
    ...more,
  });
}

function checksOf(story: Story) {
  const { verdict, findings } = judge(tell(story));
  return { verdict, checks: findings.map(({ check }) => check) };
}

const PASS = { verdict: 'pass', checks: [] };

describe('a table of orders', () => {
  it('passes when a duplicate does nothing', () => {
    expect(checksOf({ once: (round) => [order(round)] })).toEqual(PASS);
  });

  it('fails when a duplicate inserts a second row, and shows both rows, the event and what silences it', () => {
    const { verdict, findings, hits } = judge(
      tell({ once: (round) => [order(round)], trial: (round) => [order(round), order(round)] }),
    );
    expect({ verdict, hits, count: findings.length }).toEqual({ verdict: 'fail', hits: 1, count: 1 });
    const [finding] = findings;
    expect(finding).toMatchObject({
      check: 'no-second-effect',
      title: 'orders: 1 row too many',
      event: 'evt_1',
      effect: 'orders',
      expected: '1 row added, as when each event is delivered once',
      actual: '2 rows added',
      ignore: ['orders'],
    });
    expect(finding?.hint).toContain('Delivered 2 times, one after the other.');
    expect(finding?.evidence).toEqual([
      expect.stringMatching(/^#\d+ at 0\.000 s, copy 1, attempt 1 -> 200 in 44 ms$/),
      expect.stringMatching(/^#\d+ at 0\.100 s, copy 2, attempt 1 -> 200 in 44 ms$/),
      expect.stringMatching(/^added orders 3: id=3 reference=order_1_round1 amount=2000 status=paid .*[^t]$/),
      expect.stringMatching(/^added orders 4: id=4 reference=order_1_round1 .* {3}<- second effect$/),
    ]);
  });

  it.each([
    ['a text in seconds', (ms: number): Cell => sqlTime(ms)],
    ['a local text of another zone', (ms: number): Cell => sqlTime(ms + 5.5 * 3_600_000)],
    ['epoch milliseconds', (ms: number): Cell => ms],
    ['epoch seconds', (ms: number): Cell => Math.floor(ms / 1000)],
    ['epoch seconds with a fraction', (ms: number): Cell => ms / 1000],
    ['epoch nanoseconds', (ms: number): Cell => BigInt(ms) * 1_000_000n],
    ['epoch seconds as text', (ms: number): Cell => String(Math.floor(ms / 1000))],
    ['ISO-8601', (ms: number): Cell => new Date(ms).toISOString()],
    ['what Postgres prints', (ms: number): Cell => `${sqlTime(ms)}.${String(ms % 1000).padStart(3, '0')}+00`],
    ['what Date prints', (ms: number): Cell => new Date(ms).toUTCString()],
    ['a time that ends 30 days later', (ms: number): Cell => sqlTime(ms + 30 * 86_400_000)],
    ['a time inside a text', (ms: number): Cell => `received ${new Date(ms).toISOString()}, checked`],
    ['a time inside JSON', (ms: number): Cell => JSON.stringify({ meta: { at: sqlTime(ms) }, kind: 'order' })],
    ['a reference made of a time', (ms: number): Cell => `ORD-${ms}`],
  ])('takes a time column for noise: %s', (_, write) => {
    const row = (round: Round) => order(round, { written: write(round.nowMs) });
    expect(checksOf({ once: (round) => [row(round)] })).toEqual(PASS);
    expect(checksOf({ once: (round) => [row(round)], rounds: 20 })).toEqual(PASS);
    expect(checksOf({ once: (round) => [row(round)], trial: (round) => [row(round), row(round)] }).checks).toEqual([
      'no-second-effect',
    ]);
  });

  it('says that 1 of 20 concurrent rounds doubled, and names the race', () => {
    const { verdict, findings, hits } = judge(
      tell({
        rounds: 20,
        once: (round) => [order(round)],
        trial: (round) => (round.name === 'round-7' ? [order(round), order(round)] : [order(round)]),
        attempts: (round) => together(round),
      }),
    );
    expect({ verdict, hits, count: findings.length }).toEqual({ verdict: 'fail', hits: 1, count: 1 });
    expect(findings[0]).toMatchObject({
      title: 'orders: 1 row too many in 1 of 20 rounds',
      expected: '20 rows added in 20 rounds, as when each event is delivered once',
      actual: '21 rows added',
      hint: expect.stringContaining('a check followed by an insert'),
    });
    expect(findings[0]?.evidence.filter((line) => line.includes('order_1_round7'))).toHaveLength(2);
    expect(findings[0]?.evidence.filter((line) => line.includes('->'))).toHaveLength(2);
  });

  it('counts the rounds that broke over all stretches', () => {
    const { hits, findings } = judge(
      tell({
        rounds: 20,
        apart: true,
        once: (round) => [order(round)],
        trial: (round) => (round.index % 5 === 0 ? [order(round), order(round)] : [order(round)]),
      }),
    );
    expect(hits).toBe(4);
    expect(findings.map(({ title }) => title)).toEqual(['orders: 4 rows too many in 4 of 20 rounds']);
  });

  it('sees one round that lost and one that doubled, though the number of rows is right', () => {
    const { verdict, findings, hits } = judge(
      tell({
        rounds: 20,
        once: (round) => [order(round)],
        trial: (round) =>
          round.name === 'round-2' ? [] : round.name === 'round-3' ? [order(round), order(round)] : [order(round)],
      }),
    );
    expect({ verdict, hits }).toEqual({ verdict: 'fail', hits: 2 });
    expect(findings.map(({ check, title }) => `${check} ${title}`)).toEqual([
      'no-second-effect orders: 1 row too many in 1 of 20 rounds',
      'no-lost-effect orders: 1 of 20 expected rows did not come in 1 of 20 rounds',
    ]);
  });

  it('counts rows that hold no id over all rounds', () => {
    const row = (round: Round) => inserted(round, 'mails', { subject: 'Thank you', sent: round.nowMs });
    const { hits, findings } = judge(
      tell({
        rounds: 20,
        once: (round) => [row(round)],
        trial: (round) => (round.index < 5 ? [row(round), row(round)] : [row(round)]),
      }),
    );
    expect(hits).toBe(3);
    expect(findings).toHaveLength(1);
    expect(findings[0]).toMatchObject({ title: 'mails: 3 mails too many in 3 of 20 rounds', actual: '23 mails added' });
  });

  it.each([
    ['another status', { status: 'pending' }, 'status=paid', 'status=pending', ['orders.status']],
    ['a version one higher', { version: 2 }, 'version=1', 'version=2', ['orders.version']],
    ['a doubled amount', { amount: 4000 }, 'amount=2000', 'amount=4000', ['orders.amount']],
    [
      'two columns',
      { status: 'duplicate', version: 2 },
      'status=paid version=1',
      'status=duplicate version=2',
      ['orders.status', 'orders.version'],
    ],
    ['a value where there was none', { refund: 'r1' }, 'refund=NULL', 'refund=r1', ['orders.refund']],
    [
      'a time where there was none',
      { cancelled_at: 1_772_359_206_000 },
      'cancelled_at=NULL',
      /^cancelled_at=\d+$/,
      ['orders.cancelled_at'],
    ],
  ])('fails when a duplicate leaves %s', (...[, other, expected, actual, ignore]) => {
    const row = (round: Round, more = {}) => order(round, { version: 1, refund: null, cancelled_at: null, ...more });
    const { verdict, findings } = judge(tell({ once: (round) => [row(round)], trial: (round) => [row(round, other)] }));
    expect(verdict).toBe('fail');
    expect(findings).toHaveLength(1);
    const [finding] = findings;
    expect(finding).toMatchObject({ check: 'no-second-effect', event: 'evt_1', expected, ignore });
    expect(finding?.actual).toMatch(actual);
    expect(finding?.hint).toContain('changed what was there already');
    expect(finding?.evidence.filter((line) => line.includes('added orders'))).toHaveLength(2);
  });

  it.each([
    ['set at once', (round: Round): Cell => sqlTime(round.nowMs)],
    ['empty until the first touch', (): Cell => null],
  ])('passes when only updated_at is touched, %s', (_, first) => {
    expect(
      checksOf({
        once: (round) => [order(round, { updated_at: first(round), lastSeenAt: first(round) })],
        trial: (round) => [order(round, { updated_at: sqlTime(round.nowMs + 50), lastSeenAt: round.nowMs + 50 })],
      }),
    ).toEqual(PASS);
  });

  it('compares a sum that comes out of another order of adding', () => {
    expect(
      checksOf({
        once: (round) => [order(round, { total: 0.1 + 0.2 + 0.3 })],
        trial: (round) => [order(round, { total: 0.3 + 0.2 + 0.1 })],
      }),
    ).toEqual(PASS);
  });
});

describe('noise', () => {
  it('never hides a row, even in a table where every column is noise', () => {
    const row = (round: Round) => inserted(round, 'audit', { token: round.token(), at: round.nowMs });
    expect(checksOf({ once: (round) => [row(round)] })).toEqual(PASS);
    expect(checksOf({ once: (round) => [row(round)], trial: (round) => [row(round), row(round)] }).checks).toEqual([
      'no-second-effect',
    ]);
    expect(checksOf({ once: (round) => [row(round)], trial: () => [], rounds: 3 }).checks).toEqual(['no-lost-effect']);
  });

  it('does not hide that a value is missing where there always is one', () => {
    const row = (round: Round, token: Cell) => order(round, { receipt: token, deleted_at: round.nowMs });
    const story: Story = {
      once: (round) => [row(round, round.token())],
      trial: (round) => [row(round, null)],
    };
    expect(judge(tell(story)).findings).toMatchObject([{ expected: 'receipt=(some value)', actual: 'receipt=NULL' }]);
    const revived = { ...story, trial: (round: Round) => [order(round, { receipt: round.token(), deleted_at: null })] };
    expect(judge(tell(revived)).findings).toMatchObject([{ actual: 'deleted_at=NULL' }]);
  });

  it('of one row with a name of its own says nothing about the others', () => {
    const document = (orders: number) => (rounds: number, _: string, fromMs: number) => {
      const total = 5;
      return [
        changed('stats:value', '/orders', [{ value: total }, { value: total + orders * rounds }]),
        changed('stats:value', '/latency', [{ value: 1 }, { value: (fromMs % 977) + 2 }]),
        changed('stats:value', '/lastOrderAt', [{ value: sqlTime(fromMs - 9000) }, { value: sqlTime(fromMs) }]),
      ];
    };
    expect(checksOf({ once: () => [], shared: document(1) })).toEqual(PASS);
    const doubled = (rounds: number, stretch: 'baseline' | 'trial', fromMs: number) =>
      document(stretch === 'trial' ? 2 : 1)(rounds, stretch, fromMs);
    const { findings } = judge(tell({ once: () => [], shared: doubled }));
    expect(findings).toMatchObject([
      { title: 'stats.value.value changed by 2 instead of 1', ignore: ['stats#/orders'], check: 'no-second-effect' },
    ]);
  });

  it('is a token that is drawn anew in an old row', () => {
    const redrawn = (round: Round) =>
      changed('orders', 1, [
        { id: 1, token: 'a' },
        { id: 1, token: round.token() },
      ]);
    const story: Story = { once: (round) => [order(round)], trial: (round) => [order(round), redrawn(round)] };
    expect(checksOf(story)).toEqual(PASS);
  });

  it('knows a generated number where a reset makes the sequence begin anew', () => {
    const ledger = (round: Round, events: readonly string[]) =>
      events.map((event, index) => added('seen', index + 1, { id: index + 1, event: round.id(event), attempts: 1 }));
    const story = {
      events: ['evt_1', 'evt_2'],
      plan: { reorders: true },
      copies: 1,
      once: (round: Round) => ledger(round, ['evt_1', 'evt_2']),
    };
    const turned = judge(tell({ ...story, trial: (round) => ledger(round, ['evt_2', 'evt_1']) }));
    expect(turned).toMatchObject({ verdict: 'pass', notes: [] });
    expect(checksOf({ ...story, trial: (round) => ledger(round, ['evt_2', 'evt_1', 'evt_1']) }).checks).toEqual([
      'no-second-effect',
    ]);
  });

  it('is no fact of the event: a payload time within the run stays signal, however it is written', () => {
    const startMs = Date.UTC(2026, 2, 1, 10, 0, 0, 100);
    const [older, newer] = [startMs - 4000, startMs - 1000].map((ms) => ms - (ms % 1000)) as [number, number];
    const elsewhere = (ms: number) => sqlTime(ms - 3.5 * 3_600_000);
    for (const write of [sqlTime, elsewhere, (ms: number) => ms / 1000, (ms: number) => new Date(ms).toISOString()]) {
      const row = (round: Round, ms: number) =>
        order(round, { occurred_at: write(ms), created_at: sqlTime(round.nowMs) });
      const story: Story = {
        startMs,
        plan: { reorders: true },
        payloads: [`{"created":${older / 1000}}`, `{"created":"${new Date(newer).toISOString()}"}`],
        once: (round) => [row(round, newer)],
      };
      expect(checksOf(story)).toEqual(PASS);
      expect(checksOf({ ...story, trial: (round) => [row(round, older)] }).checks).toEqual(['newest-wins']);
      const inText: Story = { ...story, once: (round) => [order(round, { note: `paid at ${write(newer)}` })] };
      expect(checksOf(inText)).toEqual(PASS);
      const olderText = (round: Round) => [order(round, { note: `paid at ${write(older)}` })];
      expect(checksOf({ ...inText, trial: olderText }).checks).toEqual(['newest-wins']);
      const moved = (ms: number) => (round: Round) => [
        changed('states', round.id('order_1'), [
          { since: write(startMs - 90_000), by: 1 },
          { since: write(ms), by: 2 },
        ]),
      ];
      expect(checksOf({ ...story, once: moved(newer) })).toEqual(PASS);
      expect(checksOf({ ...story, once: moved(newer), trial: moved(older) }).checks).toEqual(['newest-wins']);
    }
  });

  it.each([
    ['milliseconds, kept in seconds', (ms: number) => `{"at":${ms + 123}}`],
    ['a form', (ms: number) => `at=${new Date(ms).toISOString().replaceAll(':', '%3A')}`],
  ])('is no fact of the event: a payload time given as %s', (_, payload) => {
    const startMs = Date.UTC(2026, 2, 1, 10, 0, 0, 100);
    // As far apart as the trial is from the baseline.
    const [first, second] = [startMs - 1100, startMs + 3900];
    const row = (round: Round, ms: number) => order(round, { first_seen: sqlTime(ms) });
    const story: Story = { startMs, payloads: [first, second].map(payload), once: (round) => [row(round, first)] };
    expect(checksOf(story)).toEqual(PASS);
    expect(checksOf({ ...story, trial: (round) => [row(round, second)] }).checks).toEqual(['no-second-effect']);
  });

  it('is a clock that happened to show the second of the payload', () => {
    const startMs = Date.UTC(2026, 2, 1, 10, 0, 0, 100);
    expect(
      checksOf({
        startMs,
        payloads: [`{"created":${Math.floor(startMs / 1000)}}`],
        once: (round) => [order(round, { created_at: sqlTime(round.nowMs) })],
      }),
    ).toEqual(PASS);
  });

  it('is not a date that moved by days', () => {
    const until = (round: Round, days: number) =>
      order(round, { paid_until: sqlTime(round.nowMs + days * 86_400_000) });
    const story: Story = { once: (round) => [until(round, 30)] };
    expect(checksOf(story)).toEqual(PASS);
    expect(checksOf({ ...story, trial: (round) => [until(round, 60)] }).checks).toEqual(['no-second-effect']);
  });
});

describe('a row that nobody expected', () => {
  const mail = (round: Round, about: string, more: Readonly<Record<string, Cell>> = {}) =>
    inserted(round, 'mails', { to: round.id('cus_1'), about, ...more });

  it('is a copy, and not another one that went astray', () => {
    const story: Story = {
      once: (round) => [mail(round, 'created'), mail(round, 'paid')],
      trial: (round) => [mail(round, 'paid'), mail(round, 'paid')],
    };
    expect(checksOf(story).checks).toEqual(['no-second-effect', 'no-lost-effect']);
  });

  it('is not the row that another round lost', () => {
    const story: Story = {
      rounds: 3,
      once: (round) => [mail(round, 'paid')],
      trial: (round) =>
        round.name === 'round-1'
          ? []
          : [mail(round, 'paid'), ...(round.name === 'round-2' ? [mail(round, 'reminder')] : [])],
    };
    expect(checksOf(story).checks).toEqual(['no-second-effect', 'no-lost-effect']);
  });

  it('is compared with the one that it is most alike', () => {
    const rows = [
      [1, 0, 0],
      [1, 1, 1],
      [0, 1, 0],
      [0, 0, 1],
    ] as const;
    const row = (round: Round, [a, b, c]: readonly [number, number, number], state: string) =>
      inserted(round, 'parts', { a, b, c, state });
    const story: Story = {
      once: (round) => rows.map((numbers) => row(round, numbers, 'ok')),
      trial: (round) => [row(round, [1, 1, 1], 'bad')],
    };
    expect(judge(tell(story)).findings).toMatchObject(
      [
        { check: 'no-lost-effect', title: 'parts: 3 of 4 expected rows did not come' },
        { check: 'no-second-effect', expected: 'state=ok', actual: 'state=bad' },
      ].toReversed(),
    );
  });

  it('names no event when it holds the ids of several', () => {
    const both = (round: Round) => inserted(round, 'digests', { text: `${round.id('evt_1')} ${round.id('evt_2')}` });
    const story: Story = {
      events: ['evt_1', 'evt_2'],
      once: (round) => [both(round)],
      trial: (round) => [both(round), both(round)],
    };
    const [finding] = judge(tell(story)).findings;
    expect(finding).toMatchObject({ check: 'no-second-effect', event: undefined });
    expect(finding?.evidence.filter((line) => line.includes('copy'))).toHaveLength(4);
  });
});

describe('a ledger', () => {
  const seen = (round: Round, more: Readonly<Record<string, Cell>> = {}) =>
    inserted(round, 'webhook_events', {
      event_id: round.id('evt_1'),
      attempts: 1,
      last_status: 'processed',
      last_seen_at: sqlTime(round.nowMs),
      ...more,
    });

  it.each([
    ['the event id', (round: Round): Cell => round.id('evt_1')],
    ['the delivery id', (round: Round): Cell => round.id('del_1')],
    ['the hash of the body', (round: Round): Cell => round.hash('evt_1')],
    ['the hash in capitals', (round: Round): Cell => round.hash('evt_1').toUpperCase()],
    ['the hash as bytes', (round: Round): Cell => ({ bytes: round.hash('evt_1') })],
  ])('that holds %s may count a duplicate, with a note', (_, key) => {
    const { verdict, findings, notes } = judge(
      tell({
        once: (round) => [order(round), seen(round, { event_id: key(round) })],
        trial: (round) => [order(round), seen(round, { event_id: key(round), attempts: 2, last_status: 'duplicate' })],
      }),
    );
    expect({ verdict, findings }).toEqual({ verdict: 'pass', findings: [] });
    expect(notes).toEqual([
      expect.stringMatching(/^webhook_events: attempts, last_status not as after one delivery, which is bookkeeping/),
    ]);
  });

  it('fails on a second row', () => {
    const story: Story = {
      once: (round) => [order(round), seen(round)],
      trial: (round) => [order(round), seen(round), seen(round, { attempts: 2 })],
    };
    expect(judge(tell(story)).findings).toMatchObject([
      { check: 'no-second-effect', title: 'webhook_events: 1 row too many', ignore: ['webhook_events'] },
    ]);
  });

  it('is no excuse for what the event itself says: an amount in a row keyed by the event id', () => {
    const payment = (round: Round, amount: number, quantity: number) =>
      added('payments', round.id('evt_1'), { event_id: round.id('evt_1'), amount, quantity });
    const story: Story = {
      payloads: ['{"id":"evt_1","amount":1250,"quantity": 3}'],
      once: (round) => [payment(round, 1250, 3)],
    };
    expect(checksOf({ ...story, trial: (round) => [payment(round, 2500, 3)] }).checks).toEqual(['no-second-effect']);
    expect(checksOf({ ...story, trial: (round) => [payment(round, 1250, 6)] }).checks).toEqual(['no-second-effect']);
    const renamed = (round: Round, credit: number) => [seen(round, { credit })];
    const credits: Story = { ...story, once: (round) => renamed(round, 1250) };
    expect(checksOf({ ...credits, trial: (round) => renamed(round, 2500) }).checks).toEqual(['no-second-effect']);
  });

  it('may count although the payload has the same small number somewhere', () => {
    const story: Story = {
      payloads: ['{"id":"evt_1","lines":1}'],
      once: (round) => [seen(round)],
      trial: (round) => [seen(round, { attempts: 2 })],
    };
    expect(checksOf(story)).toEqual(PASS);
  });

  it('says once for many rounds what changed', () => {
    const { notes } = judge(
      tell({ rounds: 20, once: (round) => [seen(round)], trial: (round) => [seen(round, { attempts: 2 })] }),
    );
    expect(notes).toHaveLength(1);
  });

  it('is none when it has two rows an event', () => {
    const both = (round: Round, attempts: number) => [seen(round), seen(round, { attempts })];
    expect(checksOf({ once: (round) => both(round, 1), trial: (round) => both(round, 2) }).checks).toEqual([
      'no-second-effect',
    ]);
  });
});

describe('a total in a row that all rounds share', () => {
  const totals = (add: (rounds: number, stretch: 'baseline' | 'trial') => number, write = (n: number): Cell => n) => {
    let total = 300;
    return (rounds: number, stretch: 'baseline' | 'trial', fromMs: number) => {
      const before = total;
      total += add(rounds, stretch);
      const row = (value: number, ms: number) => ({ name: 'eur', total: write(value), updated_at: sqlTime(ms) });
      return [changed('totals', 'eur', [row(before, fromMs - 9000), row(total, fromMs)])];
    };
  };

  it.each([
    ['a number', (n: number): Cell => n],
    ['a text with cents', (n: number): Cell => n.toFixed(2)],
    ['a number beyond 2^53', (n: number): Cell => 9_007_199_254_740_993n + BigInt(n)],
    ['a long decimal text', (n: number): Cell => `12345678901234567${n}.25`],
  ])('passes when it is exact and fails when it grew twice: %s', (_, write) => {
    const story = { once: () => [], rounds: 20 };
    const exact = totals((rounds) => 10 * rounds, write);
    expect(checksOf({ ...story, shared: exact })).toEqual(PASS);
    const doubled = totals((rounds, stretch) => 10 * rounds + (stretch === 'trial' ? 30 : 0), write);
    const { findings, hits } = judge(tell({ ...story, shared: doubled }));
    expect(hits).toBe(3);
    expect(findings).toMatchObject([
      {
        check: 'no-second-effect',
        title: 'totals.total changed by 230 instead of 200',
        expected: 'total changes by 200',
        actual: 'it changed by 230',
        ignore: ['totals.total'],
      },
    ]);
  });

  it('is a lost effect when it is short by one, and when it did not move at all', () => {
    const short = totals((rounds, stretch) => 10 * rounds - (stretch === 'trial' ? 10 : 0));
    const { findings, hits } = judge(tell({ once: () => [], rounds: 20, shared: short }));
    expect(hits).toBe(1);
    expect(findings).toMatchObject([
      {
        check: 'no-lost-effect',
        title: 'totals.total changed by 190 instead of 200',
        hint: expect.stringContaining('lose one of the two'),
      },
    ]);
    const still = totals((rounds) => 10 * rounds);
    const none = (rounds: number, stretch: 'baseline' | 'trial', fromMs: number) =>
      stretch === 'trial' ? [] : still(rounds, stretch, fromMs);
    expect(judge(tell({ once: () => [], shared: none })).findings).toMatchObject([
      { check: 'no-lost-effect', title: 'totals.total changed by 0 instead of 10' },
    ]);
  });

  it('is a second effect in a row of its own that comes with 20 instead of 10', () => {
    const row = (round: Round, total: number) =>
      added('customers', round.id('cus_1'), { id: round.id('cus_1'), total });
    const story: Story = { once: (round) => [row(round, 10)], trial: (round) => [row(round, 20)] };
    expect(judge(tell(story)).findings).toMatchObject([
      { check: 'no-second-effect', expected: 'total=10', actual: 'total=20', event: 'evt_1' },
    ]);
  });

  it('is a lost effect in a row of its own that comes with 10 instead of 20', () => {
    const row = (round: Round, total: number) =>
      added('customers', round.id('cus_1'), { id: round.id('cus_1'), total });
    const story: Story = {
      events: ['evt_1', 'evt_2'],
      copies: 1,
      once: (round) => [row(round, 20)],
      trial: (round) => [row(round, 10)],
    };
    expect(checksOf(story).checks).toEqual(['no-lost-effect']);
  });

  it('may be a time that is put off by as much each time', () => {
    let until = Date.UTC(2027, 0, 1);
    const extend = (rounds: number, stretch: 'baseline' | 'trial') => {
      const before = until;
      until += rounds * 30 * 86_400_000 * (stretch === 'trial' ? 2 : 1);
      return [changed('plans', 'pro', [{ paid_until: sqlTime(before) }, { paid_until: sqlTime(until) }])];
    };
    expect(judge(tell({ once: () => [], shared: extend })).findings).toMatchObject([
      { check: 'no-second-effect', title: 'plans.paid_until changed by 60 d instead of 30 d' },
    ]);
  });

  it('compares the text that it ended with', () => {
    const last = (event: string) => (round: Round) => [
      changed('state', 'main', [
        { name: 'main', last: 'x' },
        { name: 'main', last: round.id(event) },
      ]),
    ];
    const story: Story = { events: ['evt_1', 'evt_2'], copies: 1, plan: { reorders: true }, once: last('evt_2') };
    expect(checksOf(story)).toEqual(PASS);
    expect(checksOf({ ...story, trial: last('evt_1') }).checks).toEqual(['newest-wins']);
    expect(judge(tell({ ...story, plan: {}, trial: () => [] })).findings).toMatchObject([
      { check: 'no-lost-effect', actual: 'no change' },
    ]);
  });

  it('compares a number that is an id as an id', () => {
    const last = (number: (round: Round) => string) => (round: Round) => [
      changed('state', 'main', [
        { name: 'main', last: 1 },
        { name: 'main', last: BigInt(number(round)) },
      ]),
    ];
    const story: Story = { once: last((round) => round.id('100200300400')) };
    expect(checksOf(story)).toEqual(PASS);
    expect(checksOf({ ...story, trial: last(() => '5') }).checks).toEqual(['no-second-effect']);
  });

  it('may not change where the baseline leaves it alone', () => {
    const story: Story = {
      once: (round) => [order(round)],
      trial: (round) => [
        order(round),
        changed('stock', 'sku', [
          { left: 9, at: 1 },
          { left: 8, at: 1 },
        ]),
      ],
    };
    expect(judge(tell(story)).findings).toMatchObject([
      { check: 'no-second-effect', title: 'stock.left changed by -1 instead of 0', expected: 'left does not change' },
    ]);
    const touched = changed('stock', 'sku', [
      { left: 9, updated_at: null },
      { left: 9, updated_at: '2026-03-01 10:00:05' },
    ]);
    expect(checksOf({ ...story, trial: (round) => [order(round), touched] })).toEqual(PASS);
  });
});

describe('a row that was there and belongs to the event', () => {
  const pay = (round: Round, more = {}) =>
    changed('invoices', round.next('invoices'), [
      { reference: round.id('order_1'), status: 'open', paid: 0 },
      { reference: round.id('order_1'), status: 'paid', paid: 2000, ...more },
    ]);

  it('passes when it changes once a round', () => {
    expect(checksOf({ rounds: 20, once: (round) => [pay(round)] })).toEqual(PASS);
  });

  it('may be touched', () => {
    const touch = (round: Round) =>
      changed('invoices', round.next('invoices'), [
        { reference: round.id('order_1'), updated_at: null },
        { reference: round.id('order_1'), updated_at: sqlTime(round.nowMs) },
      ]);
    expect(checksOf({ once: (round) => [pay(round)], trial: (round) => [pay(round), touch(round)] })).toEqual(PASS);
  });

  it('is lost when it stays as it was', () => {
    const { hits, findings } = judge(
      tell({ rounds: 20, once: (round) => [pay(round)], trial: (round) => (round.index === 9 ? [] : [pay(round)]) }),
    );
    expect(hits).toBe(1);
    expect(findings).toMatchObject([
      { check: 'no-lost-effect', title: 'invoices: 1 of 20 expected rows were not changed in 1 of 20 rounds' },
    ]);
  });

  it('is a second effect when it was paid twice', () => {
    const story: Story = { rounds: 20, once: (round) => [pay(round)], trial: (round) => [pay(round, { paid: 4000 })] };
    const { hits, findings } = judge(tell(story));
    expect(hits).toBe(20);
    expect(findings).toMatchObject([{ check: 'no-second-effect', expected: 'paid=+2000', actual: 'paid=+4000' }]);
  });
});

describe('rows that are named by their content', () => {
  const replaced = (write: (total: number, ms: number) => ReturnType<typeof added>, doubled = false) => {
    let total = 90;
    return (rounds: number, stretch: 'baseline' | 'trial', fromMs: number) => {
      const before = write(total, fromMs - 9000);
      total += 10 * rounds * (doubled && stretch === 'trial' ? 2 : 1);
      return [{ ...before, kind: 'removed' as const, before: before.after, after: null }, write(total, fromMs)];
    };
  };

  it.each([
    [
      'lines',
      (n: number) => added('exec:lines', `eur|${n}.50|x`, { line: `eur|${n}.50|x` }),
      'exec.lines.line/0',
      'lines.line',
    ],
    [
      'elements of a JSON array',
      (n: number) => added('api:balances', `/balances/${String(n).padStart(16, '0')}`, { currency: 'eur', total: n }),
      'api.balances.total',
      'balances.total',
    ],
    [
      'rows of a view',
      (n: number, ms: number) => {
        const cells = { currency: 'eur', total: n, at: sqlTime(ms) };
        return added('totals', Object.values(cells).join(', '), cells);
      },
      'totals.total',
      'totals.total',
    ],
  ])('have totals that must be exact: %s', (...[, write, name, ignore]) => {
    const story: Story = { once: () => [], rounds: 20 };
    expect(checksOf({ ...story, shared: replaced(write) })).toEqual(PASS);
    expect(judge(tell({ ...story, shared: replaced(write, true) })).findings).toMatchObject([
      { check: 'no-second-effect', title: `${name} changed by 400 instead of 200`, ignore: [ignore] },
    ]);
  });

  it('are not taken for changed ones where several may be meant', () => {
    const line = (text: string) => added('exec:lines', text, { line: text });
    const gone = (text: string) => removed('exec:lines', text, { line: text });
    const story: Story = { once: () => [gone('job 1 open'), line('job 2 open'), line('job 3 open')] };
    expect(checksOf(story)).toEqual(PASS);
    expect(checksOf({ ...story, trial: () => [gone('job 1 open'), line('job 2 open')] }).checks).toEqual([
      'no-lost-effect',
    ]);
    const queue: Story = {
      once: ({ index }) => [gone(`job ${index} open`), line(`job ${index + 1} open`)],
      rounds: 5,
    };
    expect(checksOf(queue)).toEqual(PASS);
  });
});

describe('other sources', () => {
  it('compares calls by content, without the time and the numbers in them', () => {
    const call = (round: Round, amount = 5) =>
      added('spy:calls', round.next('calls'), {
        method: 'POST',
        path: `/orders/${round.id('order_1')}/confirm`,
        'idempotency-key': round.token(),
        body: JSON.stringify({
          order: { id: round.id('order_1'), amount },
          sentAt: new Date(round.nowMs).toISOString(),
          nonce: round.token(),
        }),
        status: 200,
      });
    const story: Story = { once: (round) => [call(round)], rounds: 20 };
    expect(checksOf(story)).toEqual(PASS);
    expect(judge(tell({ ...story, trial: (round) => [call(round), call(round)] })).findings).toMatchObject([
      { title: 'spy.calls: 20 calls too many in 20 of 20 rounds', effect: 'spy.calls', ignore: ['calls'] },
    ]);
    expect(judge(tell({ ...story, trial: (round) => [call(round, 10)] })).findings).toMatchObject([
      { expected: 'body/order/amount=5', actual: 'body/order/amount=10', ignore: ['calls.body'] },
    ]);
  });

  it('compares lines by what they say', () => {
    const line = (round: Round, text: string) => {
      const line = `${new Date(round.nowMs).toISOString()} ${text} ${round.id('order_1')}`;
      return added('log:lines', line, { line });
    };
    const story: Story = { once: (round) => [line(round, 'mail sent for')] };
    expect(checksOf(story)).toEqual(PASS);
    expect(checksOf({ ...story, trial: (round) => [line(round, 'mail lost for')] }).checks).toEqual([
      'no-second-effect',
    ]);
    const twice = (round: Round) => [line(round, 'mail sent for'), line(round, 'mail sent for')];
    expect(judge(tell({ ...story, trial: twice })).findings).toMatchObject([{ title: 'log.lines: 1 line too many' }]);
  });

  it('compares a row without any id with the one that it should be', () => {
    const row = (round: Round, state: string) => inserted(round, 'jobs', { queue: 'mail', state, at: round.nowMs });
    const story: Story = { once: (round) => [row(round, 'done')], trial: (round) => [row(round, 'dead')] };
    expect(judge(tell(story)).findings).toMatchObject([{ expected: 'state=done', actual: 'state=dead' }]);
  });

  it('tells apart what only its key names', () => {
    const entry = (round: Round, name: string) => added('redis:keys', `${name}:${round.id('order_1')}`, { value: '1' });
    const story: Story = { once: (round) => [entry(round, 'paid')] };
    expect(checksOf(story)).toEqual(PASS);
    expect(judge(tell({ ...story, trial: (round) => [entry(round, 'refunded')] })).findings).toMatchObject([
      { expected: '(key)=paid:order_1', actual: '(key)=refunded:order_1', ignore: ['keys'] },
    ]);
  });

  it('sees a row removed twice as often, and one that was not', () => {
    const cart = (round: Round) => removed('carts', round.next('carts'), { customer: round.id('cus_1'), items: 2 });
    const story: Story = { once: (round) => [cart(round)] };
    expect(checksOf(story)).toEqual(PASS);
    expect(judge(tell({ ...story, trial: (round) => [cart(round), cart(round)] })).findings).toMatchObject([
      { title: 'carts: 1 removed row too many', expected: '1 row removed, as when each event is delivered once' },
    ]);
    expect(judge(tell({ ...story, trial: () => [] })).findings).toMatchObject([
      { check: 'no-lost-effect', title: 'carts: 1 of 1 expected rows were not removed' },
    ]);
  });

  it('names the source in --ignore where two have the table, and the pointer in a JSON document', () => {
    const copies = (round: Round) => [
      added('shop:orders', round.next('a'), { reference: round.id('order_1') }),
      added('mirror:orders', round.next('b'), { reference: round.id('order_1') }),
      added('api:items', `/items/${round.id('order_1')}`, { id: round.id('order_1'), 'address/city': 'Ulm' }),
    ];
    const twice = (round: Round) => {
      const [first, second, item] = copies(round);
      if (!first || !second || !item) return [];
      const moved = { ...item, after: { ...item.after, 'address/city': 'Bonn' } };
      return [first, { ...first, key: '99' }, second, moved];
    };
    const { findings } = judge(tell({ once: copies, trial: twice }));
    expect(findings.map(({ effect, ignore }) => [effect, ignore])).toEqual([
      ['shop.orders', ['shop:orders']],
      ['api.items', ['api#/items/*/address/city']],
    ]);
  });

  it('reads blobs that are text, and compares the others as bytes', () => {
    const hex = (text: string) => ({ bytes: Buffer.from(text).toString('hex') });
    const row = (round: Round, flag: string) =>
      order(round, { body: hex(`{"order":"${round.id('order_1')}","n":1}`), flags: { bytes: flag }, none: null });
    const story: Story = { once: (round) => [row(round, 'ff00')] };
    expect(checksOf(story)).toEqual(PASS);
    expect(judge(tell({ ...story, trial: (round) => [row(round, 'ff01')] })).findings).toMatchObject([
      { expected: "flags=x'ff00'", actual: "flags=x'ff01'" },
    ]);
    const other = (round: Round) => [order(round, { ...row(round, 'ff00').after, body: hex('{"order":"x","n":2}') })];
    expect(judge(tell({ ...story, trial: other })).findings[0]?.title).toContain('body/order, body/n not as');
  });

  it('keeps ids beyond 2^53 apart, in cells and inside JSON', () => {
    const row = (round: Round, last: bigint) =>
      order(round, { external: last, body: `{"ref": ${last}, "list": [${last}]}` });
    const story: Story = { once: (round) => [row(round, 9_007_199_254_740_993n)] };
    expect(checksOf(story)).toEqual(PASS);
    const { findings } = judge(tell({ ...story, trial: (round) => [row(round, 9_007_199_254_740_992n)] }));
    expect(findings[0]?.title).toContain('external, body/ref, body/list/0');
  });

  it('shortens long texts to one line', () => {
    const story: Story = {
      once: (round) => [order(round, { note: `a\n${'x'.repeat(100_000)}` })],
      trial: (round) => [order(round, { note: `b\n${'y'.repeat(100_000)}` })],
    };
    const [finding] = judge(tell(story)).findings;
    for (const text of [finding?.expected, finding?.actual, ...(finding?.evidence ?? [])]) {
      expect(text).toMatch(/^.{1,400}$/);
    }
  });

  it('takes no notice of the order of members in a JSON document', () => {
    const bodies = ['{"a":1,"b":{"c":2}}', '{"b":{"c":2},"a":1}'];
    const story: Story = { once: (round) => [order(round, { body: bodies[round.index % 2] ?? '' })], rounds: 3 };
    expect(checksOf(story)).toEqual(PASS);
    const other = (round: Round) => [order(round, { body: '{"b":{"c":3},"a":1}' })];
    expect(judge(tell({ ...story, trial: other })).findings[0]?.title).toContain('body/b/c not as');
  });

  it('survives JSON that is deeper than a stack', () => {
    const deep = '['.repeat(50_000) + ']'.repeat(50_000);
    expect(checksOf({ once: (round) => [order(round, { body: deep })] })).toEqual(PASS);
  });
});

describe('events out of order', () => {
  const story: Story = {
    events: ['evt_1', 'evt_2'],
    copies: 1,
    plan: { reorders: true, pattern: 'out-of-order' },
    once: (round) => [...ledger(round, ['evt_1', 'evt_2']), order(round, { status: 'paid', version: 2 })],
  };

  function ledger(round: Round, events: readonly string[], last = 'processed') {
    return events.map((event, index) =>
      inserted(round, 'seen', {
        event: round.id(event),
        state: index === 1 ? last : 'processed',
        at: round.nowMs + index,
      }),
    );
  }

  it('pass at a receiver that is right, whose ledger has its rows in another order', () => {
    const right = (last: string) => (round: Round) => [
      ...ledger(round, ['evt_2', 'evt_1'], last),
      order(round, { status: 'paid', version: 2 }),
    ];
    expect(checksOf({ ...story, trial: right('processed') })).toEqual(PASS);
    const { verdict, notes } = judge(tell({ ...story, trial: right('stale') }));
    expect(verdict).toBe('pass');
    expect(notes).toEqual([expect.stringContaining('seen: state')]);
  });

  it('are newest-wins and nothing else when the older state stays', () => {
    const { verdict, findings } = judge(
      tell({
        ...story,
        trial: (round) => [...ledger(round, ['evt_2', 'evt_1']), order(round, { status: 'pending', version: 1 })],
      }),
    );
    expect(verdict).toBe('fail');
    expect(findings).toMatchObject([
      {
        check: 'newest-wins',
        title: 'orders: status, version not as after the same events in order',
        effect: 'orders',
        expected: 'status=paid version=2',
        actual: 'status=pending version=1',
        hint: expect.stringContaining('An older event was written over a newer one'),
        ignore: ['orders.status', 'orders.version'],
      },
    ]);
    expect(findings[0]?.evidence.at(-2)).toContain('after the events in order: added orders');
  });

  it('are a lost effect when a mail is missing', () => {
    const mail = (round: Round, about: string) => inserted(round, 'mails', { about, order: round.id('order_1') });
    const mails = (round: Round) => [mail(round, 'created'), mail(round, 'paid')];
    expect(judge(tell({ ...story, once: mails, trial: (round) => [mail(round, 'paid')] })).findings).toMatchObject([
      { check: 'no-lost-effect', title: 'mails: 1 of 2 expected mails did not come' },
    ]);
  });

  it('may make too much without any duplicate, and the hint does not speak of one', () => {
    const { findings } = judge(
      tell({ ...story, trial: (round) => [...story.once(round), order(round, { version: 1 })] }),
    );
    expect(findings).toMatchObject([{ check: 'no-second-effect', hint: expect.stringContaining('in another order') }]);
  });

  it('are newest-wins for a level that is set, and a second effect only where something was repeated', () => {
    const level = (to: number) =>
      changed('levels', 'a', [
        { n: 1, name: 'a' },
        { n: to, name: 'a' },
      ]);
    const levels: Story = { ...story, once: () => [level(4)], trial: () => [level(7)] };
    expect(checksOf(levels).checks).toEqual(['newest-wins']);
    expect(checksOf({ ...levels, copies: 2 }).checks).toEqual(['no-second-effect']);
  });

  it('name the event of the row where they have several', () => {
    const once = (round: Round) =>
      ['evt_1', 'evt_2'].map((event) => inserted(round, 'mails', { event: round.id(event) }));
    const trial = (round: Round) => [...once(round), inserted(round, 'mails', { event: round.id('evt_2') })];
    const [finding] = judge(tell({ ...story, plan: {}, copies: 2, once, trial })).findings;
    expect(finding?.event).toBe('evt_2');
    expect(finding?.evidence.filter((line) => line.includes('copy'))).toHaveLength(2);
  });
});

describe('effects that do not come', () => {
  const none: Story = { once: (round) => [order(round)], trial: () => [] };

  it('are lost when the deliveries were acknowledged', () => {
    const { verdict, findings } = judge(tell(none));
    expect(verdict).toBe('fail');
    expect(findings).toMatchObject([
      {
        check: 'no-lost-effect',
        title: 'orders: 1 of 1 expected rows did not come',
        event: 'evt_1',
        hint: expect.stringContaining('were acknowledged, yet the effect is not there'),
      },
    ]);
    expect(findings[0]?.evidence.at(-1)).toMatch(/^in the baseline: added orders 2: /);
    expect(findings[0]?.evidence.filter((line) => line.includes('-> 200'))).toHaveLength(2);
  });

  it('are blamed on the ledger when it knows the event and a retry was taken for a duplicate', () => {
    const seen = (round: Round) => inserted(round, 'seen', { event: round.id('evt_1') });
    const { findings } = judge(
      tell({
        once: (round) => [order(round), seen(round)],
        trial: (round) => [seen(round)],
        attempts: (round) => [attempt(round, { answer: 'reset' }), attempt(round, { attempt: 2, at: [50, 60] })],
      }),
    );
    expect(findings).toMatchObject([{ hint: expect.stringContaining('the ledger is committed before its effect') }]);
    const forgotten = judge(
      tell({
        ...none,
        attempts: (round) => [attempt(round, { answer: 'reset' }), attempt(round, { attempt: 2, at: [50, 60] })],
      }),
    );
    expect(forgotten.findings).toMatchObject([{ hint: expect.not.stringContaining('its row') }]);
  });

  it('are lost when the receiver refused for ever, and the hint says so', () => {
    const { findings } = judge(
      tell({
        ...none,
        attempts: (round) =>
          [500, 500, 500].map((answer, index) =>
            attempt(round, { answer, attempt: index + 1, at: [index * 50, index * 50 + 5] }),
          ),
      }),
    );
    expect(findings).toMatchObject([
      { check: 'no-lost-effect', hint: expect.stringContaining('None of 3 attempts was acknowledged') },
    ]);
  });

  it('prove nothing when the receiver was not there', () => {
    const { verdict, reason, findings } = judge(
      tell({
        ...none,
        rounds: 2,
        attempts: (round) => [attempt(round, { answer: round.name === 'round-1' ? 'refused' : 200 })],
        trial: (round) => (round.name === 'round-1' ? [] : [order(round)]),
      }),
    );
    expect({ verdict, findings }).toEqual({ verdict: 'inconclusive', findings: [] });
    expect(reason).toBe('In 1 of 2 rounds a delivery did not reach the receiver (refused: it was refused).');
  });

  it('are still lost in the other rounds', () => {
    const { verdict, hits } = judge(
      tell({
        ...none,
        rounds: 3,
        attempts: (round) => [attempt(round, { answer: round.name === 'round-1' ? 'refused' : 200 })],
      }),
    );
    expect({ verdict, hits }).toEqual({ verdict: 'fail', hits: 2 });
  });
});

describe('what cannot be told', () => {
  it.each<readonly [string, Partial<Story>, RegExp]>([
    [
      'baselines that differ in structure',
      { once: (round) => (round.index === 1 ? [order(round), order(round)] : [order(round)]) },
      /did not have the same effects twice \(orders: 1 added, then 2\)/,
    ],
    ['a baseline without any effect', { once: () => [] }, /a probe that sees nothing proves nothing/],
    ['a trial without rounds', { rounds: 0 }, /Nothing was delivered/],
    ['a stretch that did not come to rest', { quiet: false }, /did not come to rest in time/],
    [
      'a row that had not come when time was up',
      { quiet: false, trial: () => [] },
      /did not come to rest in time .*; 1 was not yet as expected/,
    ],
    [
      'a total that was not final when time was up',
      {
        quiet: false,
        shared: (_, stretch) => [
          changed('totals', 'eur', [
            { n: 0, c: 1 },
            { n: stretch === 'trial' ? 5 : 10, c: 1 },
          ]),
        ],
      },
      /1 was not yet as expected/,
    ],
    [
      'a state that was not final when time was up',
      { quiet: false, trial: (round) => [order(round, { status: 'pending' })] },
      /1 was not yet as expected/,
    ],
  ])('%s', (_, told, reason) => {
    const judgement = judge(tell({ once: (round) => [order(round)], ...told }));
    expect(judgement).toMatchObject({ verdict: 'inconclusive', findings: [], hits: 0 });
    expect(judgement.reason).toMatch(reason);
  });

  it('is not what is too much already, though more may come', () => {
    const story: Story = {
      quiet: false,
      once: (round) => [order(round)],
      trial: (round) => [order(round), order(round)],
    };
    expect(checksOf(story)).toEqual({ verdict: 'fail', checks: ['no-second-effect'] });
  });

  it('is a baseline that was cut off', () => {
    const evidence = tell({ once: (round) => [order(round)] });
    const [first, second] = evidence.baselines;
    expect(judge({ ...evidence, baselines: [first, { ...second, quiet: false }] })).toMatchObject({
      verdict: 'inconclusive',
      reason: 'The effects of the baseline did not come to rest in time (--settle-max).',
    });
  });
});

describe('the hint fits the evidence', () => {
  const twice: Story = { once: (round) => [order(round)], trial: (round) => [order(round), order(round)] };
  it.each<readonly [string, Partial<Story>, RegExp]>([
    ['the same bytes again', {}, /new on each attempt, such as a timestamp/],
    ['a redelivery', { as: 'redelivery' }, /new on each delivery, such as the delivery id/],
    ['released together', { attempts: (round) => together(round) }, /two requests open at the same time/],
    [
      'a retry after no answer',
      { attempts: (round) => [attempt(round, { answer: 'timeout' }), attempt(round, { attempt: 2, at: [90, 99] })] },
      /the first attempt was not acknowledged, yet it took effect/,
    ],
    [
      'a retry after an error',
      { attempts: (round) => [attempt(round, { answer: 500 }), attempt(round, { attempt: 2, at: [90, 99] })] },
      /the first attempt was not acknowledged, yet it took effect/,
    ],
  ])('%s', (_, told, hint) => {
    expect(judge(tell({ ...twice, ...told })).findings[0]?.hint).toMatch(hint);
  });
});
