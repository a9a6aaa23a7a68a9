import { describe, expect, it } from 'vitest';
import { judge } from '../../../../src/judge/judge.ts';
import { attempt, type Exchange, inserted, type Story, tell } from '../story.ts';

/** The effects are right; only the answers differ. */
function answered(exchanges: readonly Exchange[], more: Partial<Story> = {}) {
  return judge(
    tell({
      once: (round) => [inserted(round, 'orders', { reference: round.id('order_1') })],
      attempts: (round) => exchanges.map((exchange) => attempt(round, exchange)),
      ...more,
    }),
  );
}

const first: Exchange = { copy: 1, at: [0, 44] };
const sequential = (answer: NonNullable<Exchange['answer']>): Exchange => ({ copy: 2, at: [100, 110], answer });
const concurrent = (answer: NonNullable<Exchange['answer']>): Exchange => ({ copy: 2, at: [1, 20], answer });
const retried = (answer: NonNullable<Exchange['answer']>): Exchange => ({
  copy: 2,
  attempt: 2,
  at: [200, 210],
  answer,
});

describe('duplicates-acknowledged holds for', () => {
  it.each<readonly [string, readonly Exchange[]]>([
    ['a sequential duplicate answered 200', [first, sequential(200)]],
    ['a sequential duplicate answered 202', [first, sequential(202)]],
    ['an in-flight duplicate answered 409, then 200', [first, concurrent(409), retried(200)]],
    ['an in-flight duplicate answered 425, then 200', [first, concurrent(425), retried(200)]],
    ['no response, then 200', [first, sequential('reset'), retried(200)]],
    [
      'no response to the first, then 200',
      [
        { ...first, answer: 'timeout' },
        { ...first, attempt: 2, at: [100, 120] },
      ],
    ],
    ['too many requests, then 200', [first, sequential(429), retried(200)]],
    ['an overload in a race, then 200', [first, concurrent(503), retried(200)]],
    [
      'a first attempt that was refused, and no duplicate',
      [
        { ...first, answer: 500 },
        { ...first, attempt: 2, at: [100, 120] },
      ],
    ],
    [
      'an update refused until its parent has come',
      [
        { ...first, answer: 500 },
        { event: 'evt_2', at: [50, 60] },
        { ...first, attempt: 2, at: [100, 120] },
      ],
    ],
  ])('%s', (_, exchanges) => {
    expect(
      answered(exchanges, { events: ['evt_1', 'evt_2'].slice(0, exchanges.some(({ event }) => event) ? 2 : 1) }),
    ).toMatchObject({
      verdict: 'pass',
      findings: [],
      notes: [],
    });
  });

  it('an in-flight duplicate answered 409 that nobody tried again, with a note', () => {
    const { verdict, notes } = answered([first, concurrent(409)]);
    expect({ verdict, notes }).toEqual({ verdict: 'pass', notes: [expect.stringContaining('was not tried again')] });
  });
});

describe('duplicates-acknowledged cannot tell', () => {
  it.each([
    ['of a duplicate that never reached the receiver', 'refused'],
    ['of a duplicate that we gave up', 'aborted'],
  ] as const)('%s', (_title, answer) => {
    const judgement = answered([first, sequential(answer)]);
    expect(judgement).toMatchObject({ verdict: 'inconclusive', findings: [] });
    expect(judgement.reason).toMatch(/^1 delivery of the pattern got no answer, not even at the last attempt/);
  });
});

describe('duplicates-acknowledged is broken by', () => {
  it.each<readonly [string, readonly Exchange[], string, RegExp]>([
    [
      'a sequential duplicate answered 409',
      [first, sequential(409)],
      '409',
      /Answer a delivery that was handled already/,
    ],
    ['… even if a retry is taken', [first, sequential(409), retried(200)], '409', /handled already/],
    ['a sequential duplicate answered 500', [first, sequential(500), retried(200)], '500', /handled already/],
    ['a sequential duplicate that is redirected', [first, sequential(302)], '302', /handled already/],
    [
      'a sequential duplicate that is limited for ever',
      [first, sequential(429), retried(429)],
      '429',
      /handled already/,
    ],
    ['a concurrent loser answered 500', [first, concurrent(500), retried(200)], '500', /the unique key held/],
    ['a concurrent loser answered 422', [first, concurrent(422), retried(200)], '422', /Answer 409 or 425 while/],
    ['a concurrent winner answered 500', [{ ...first, answer: 500 }, concurrent(200)], '500', /the unique key held/],
    [
      'an in-flight duplicate that is refused again while the first is open',
      [first, concurrent(409), { copy: 2, attempt: 2, at: [25, 30], answer: 409 }],
      '409',
      /Answer 409 or 425 while/,
    ],
    ['an in-flight duplicate that stays refused', [first, concurrent(409), retried(409)], '409', /./],
    [
      'a duplicate that never gets an answer',
      [first, sequential('timeout'), retried('timeout')],
      'with nothing (timeout)',
      /./,
    ],
  ])('%s', (...[, exchanges, actual, hint]) => {
    const { verdict, findings, hits } = answered(exchanges);
    expect({ verdict, hits }).toEqual({ verdict: 'fail', hits: 1 });
    expect(findings).toMatchObject([
      { check: 'duplicates-acknowledged', event: 'evt_1', expected: '2xx', actual, hint: expect.stringMatching(hint) },
    ]);
    expect(findings[0]?.title).toBe(`A duplicate was answered ${actual} instead of 2xx`);
    expect(findings[0]?.evidence).toHaveLength(exchanges.length);
  });

  it('a retry that is refused for ever after an attempt without answer, where the effect is there', () => {
    const stuck: readonly Exchange[] = [
      { ...first, answer: 'timeout' },
      { ...first, attempt: 2, at: [100, 110], answer: 409 },
    ];
    expect(answered(stuck).findings).toMatchObject([
      { title: 'A retry was answered 409 instead of 2xx', hint: expect.stringContaining('each retry is refused') },
    ]);
    expect(answered(stuck, { trial: () => [] }).findings.map(({ check }) => check)).toEqual(['no-lost-effect']);
  });

  it('many duplicates in one finding with the number of rounds', () => {
    const { findings, hits } = answered([], {
      rounds: 20,
      attempts: (round) => [attempt(round, first), attempt(round, sequential(round.index % 4 === 0 ? 409 : 200))],
    });
    expect(hits).toBe(5);
    expect(findings.map(({ title }) => title)).toEqual([
      'A duplicate was answered 409 instead of 2xx in 5 of 20 rounds',
    ]);
    expect(findings[0]?.evidence).toHaveLength(2);
  });
});
