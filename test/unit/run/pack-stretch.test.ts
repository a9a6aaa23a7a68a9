import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Stretch } from '../../../src/judge/evidence.ts';
import type { Attempt } from '../../../src/model/attempt.ts';
import type { Cell, Effect } from '../../../src/model/effect.ts';
import { createToOriginal } from '../../../src/mutate/original.ts';
import { packStretch, unpackStretch } from '../../../src/run/pack-stretch.ts';

const anyCell: fc.Arbitrary<Cell> = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.double(),
  fc.constantFrom(-0, Number.POSITIVE_INFINITY, Number.NaN),
  fc.bigInt(),
  fc.boolean(),
  fc.constant(null),
  fc.stringMatching(/^(?:[0-9a-f]{2})*$/).map((bytes) => ({ bytes })),
);

/** Column names that a careless form would take for its own. */
const anyColumn = fc.oneof(fc.string(), fc.constantFrom('bigint', 'number', 'bytes', '__proto__'));
const anyRow = fc.dictionary(anyColumn, anyCell, { noNullPrototype: true });

const anyEffect: fc.Arbitrary<Effect> = fc.record(
  {
    effect: fc.string(),
    collection: fc.string(),
    kind: fc.constantFrom('added', 'changed', 'removed'),
    key: fc.string(),
    before: fc.option(anyRow),
    after: fc.option(anyRow),
  },
  { noNullPrototype: true },
);

const EVENTS = [{ id: 'e1', label: 'evt_1', resource: 'ord_1' }, { id: 'e2' }];

function attempt(number: number): Attempt {
  const times = { plannedMs: 0.1, sentMs: 1.25, doneMs: 2 };
  const outcome = { kind: 'response' as const, status: 200, headers: [], body: new Uint8Array() };
  return { number, step: 's1', event: 'e1', round: 'round-1', copy: 1, attempt: 1, times, outcome };
}

function stretch(more: Partial<Stretch> = {}): Stretch {
  return { rounds: [], effects: [], attempts: [], quiet: true, fromEpochMs: 1, toEpochMs: 2, ...more };
}

/** As the corpus keeps and gives it. */
function kept(told: Stretch): Stretch {
  const document = packStretch(told, (id) => EVENTS.findIndex((event) => event.id === id));
  const attempts = new Map(told.attempts.map((each) => [each.number, each]));
  return unpackStretch(JSON.parse(JSON.stringify(document)), { events: EVENTS, attempts });
}

describe('a stretch that was kept', () => {
  it('has every cell of every row as it was', () => {
    fc.assert(
      fc.property(fc.array(anyEffect, { maxLength: 4 }), (effects) => {
        expect(kept(stretch({ effects })).effects).toStrictEqual(effects);
      }),
    );
  });

  it('has its attempts in their order, also when others came between', () => {
    const attempts = [3, 4, 5, 9, 11, 12].map(attempt);
    expect(kept(stretch({ attempts })).attempts).toEqual(attempts);
    expect(packStretch(stretch({ attempts }), () => 0).attempts).toEqual([
      [3, 5],
      [9, 9],
      [11, 12],
    ]);
  });

  it('puts captured ids back as it did, and keeps texts that all rounds share once', () => {
    const identity = (round: string, news: readonly string[]) => {
      const pairs = ['evt_captured01', 'ord_captured02'].map((old, at) => ({ old, renewed: news[at] ?? '' }));
      const events = [{ id: 'e1', label: 'evt_1', resource: 'ord_1', marks: [news[0] ?? ''] }];
      return { round, events, toOriginal: createToOriginal(() => pairs), renewed: () => pairs };
    };
    const rounds = [
      identity('round-1', ['evt_fresh00001', 'ord_fresh00001']),
      identity('round-2', ['evt_fresh00002', 'ord_fresh00002']),
      { round: 'captured', events: [{ id: 'e2', label: 'e2', marks: [] }], toOriginal: (text: string) => text },
    ];
    const again = kept(stretch({ rounds })).rounds;
    for (const text of ['ord_fresh00001 of evt_fresh00002', 'EVT_FRESH00001', 'nothing'])
      expect(again.map(({ toOriginal }) => toOriginal(text))).toEqual(rounds.map(({ toOriginal }) => toOriginal(text)));
    expect(again.map(({ round, events }) => ({ round, events }))).toEqual(
      rounds.map(({ round, events }) => ({ round, events })),
    );
    expect(packStretch(stretch({ rounds }), () => 0).olds).toHaveLength(1);
  });
});
