import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Evidence } from '../../../src/judge/evidence.ts';
import { judge } from '../../../src/judge/judge.ts';
import type { Cell, Effect } from '../../../src/model/effect.ts';
import { added, changed, type Effects, type Round, removed, type Story, tell } from './story.ts';

/** How a column gets its value in a round: the same each time, or in one of the ways in which values are noise. */
type Column =
  | { readonly kind: 'fixed'; readonly cell: Cell }
  | { readonly kind: 'id' | 'hash' | 'token' | 'sequence' | 'seconds' | 'iso' | 'later' };

type Table = {
  readonly kind: Effect['kind'];
  readonly key: 'generated' | 'id';
  readonly columns: readonly Column[];
};

const fixed = fc
  .oneof(
    fc.constantFrom<Cell>(null, true, false, 'paid', '10.00', 0, 7, -1, 2.5, 9_007_199_254_740_993n, { bytes: 'ff00' }),
    fc.string(),
    fc.integer(),
    fc.json(),
    fc.bigInt(),
  )
  .map((cell): Column => ({ kind: 'fixed', cell }));
const noisy = fc
  .constantFrom('id', 'hash', 'token', 'sequence', 'seconds', 'iso', 'later')
  .map((kind): Column => ({ kind }) as Column);

/** In a changed row nothing but times of the run would be no effect at all. */
const tables = fc.array(
  fc
    .record({
      kind: fc.constantFrom<Effect['kind'][]>('added', 'added', 'removed', 'changed'),
      key: fc.constantFrom<Table['key'][]>('generated', 'id'),
      columns: fc.array(fc.oneof(fixed, noisy), { minLength: 1, maxLength: 6 }),
    })
    .map(
      (table): Table => (table.kind === 'changed' ? { ...table, columns: [...table.columns, { kind: 'id' }] } : table),
    ),
  { minLength: 1, maxLength: 4 },
);
const rounds = fc.integer({ min: 1, max: 6 });

function cellOf(column: Column, round: Round): Cell {
  switch (column.kind) {
    case 'fixed':
      return column.cell;
    case 'id':
      return round.id('evt_1');
    case 'hash':
      return round.hash('evt_1');
    case 'token':
      return round.token();
    case 'sequence':
      return round.next('numbers');
    case 'seconds':
      return Math.floor(round.nowMs / 1000);
    case 'iso':
      return new Date(round.nowMs).toISOString();
    case 'later':
      return new Date(round.nowMs + 86_400_000).toISOString();
  }
}

function effectOf({ kind, key, columns }: Table, at: number, round: Round): Effect {
  const name = `table${at}`;
  const number = key === 'generated' ? round.next(name) : `${round.id('order_1')}-${at}`;
  const cells = Object.fromEntries(columns.map((column, index) => [`c${index}`, cellOf(column, round)]));
  if (kind === 'added') return added(name, number, cells);
  if (kind === 'removed') return removed(name, number, cells);
  const constant = { reference: round.id('order_1') };
  const before = Object.fromEntries(Object.keys(cells).map((column) => [column, 'before']));
  return changed(name, number, [
    { ...constant, ...before },
    { ...constant, ...cells },
  ]);
}

function storyOf(world: readonly Table[], more: Partial<Story> = {}): Story {
  return { once: (round) => world.map((table, index) => effectOf(table, index, round)), ...more };
}

function checks(evidence: Evidence) {
  return judge(evidence).findings.map(({ check }) => check);
}

/** One row of one round is told in another way. */
function inOneRound(
  world: readonly Table[],
  tell: (effects: Effects, round: Round) => Effects,
): (round: Round) => Effects {
  const { once } = storyOf(world);
  return (round) => (round.name === 'round-1' ? tell(once(round), round) : once(round));
}

describe('any world', () => {
  it('passes when every round does the same', () => {
    fc.assert(
      fc.property(tables, rounds, fc.boolean(), (world, count, apart) => {
        expect(judge(tell(storyOf(world, { rounds: count, apart })))).toMatchObject({ verdict: 'pass', findings: [] });
      }),
    );
  });

  it('fails when any row comes a second time', () => {
    fc.assert(
      fc.property(tables, rounds, fc.nat(), (world, count, pick) => {
        const at = pick % world.length;
        const trial = inOneRound(world, (effects, round) => [...effects, effectOf(world[at] as Table, at, round)]);
        const judgement = judge(tell(storyOf(world, { rounds: count, trial })));
        expect(judgement.findings.map(({ check }) => check)).toEqual(['no-second-effect']);
        expect(judgement.hits).toBe(1);
      }),
    );
  });

  it('fails when any row stays away', () => {
    fc.assert(
      fc.property(tables, rounds, fc.nat(), (world, count, pick) => {
        const trial = inOneRound(world, (effects) => effects.filter((_, index) => index !== pick % world.length));
        expect(checks(tell(storyOf(world, { rounds: count, trial })))).toEqual(['no-lost-effect']);
      }),
    );
  });

  it('fails when any fixed value is another one', () => {
    fc.assert(
      fc.property(tables, rounds, fc.nat(), (world, count, pick) => {
        const at = pick % world.length;
        const column = world[at]?.columns.findIndex(({ kind }) => kind === 'fixed') ?? -1;
        fc.pre(column >= 0);
        const trial = inOneRound(world, (effects) =>
          effects.map((effect, index) =>
            index === at && effect.after
              ? { ...effect, after: { ...effect.after, [`c${column}`]: 'another' } }
              : effect,
          ),
        );
        fc.pre(world[at]?.kind !== 'removed');
        const judgement = judge(tell(storyOf(world, { rounds: count, trial })));
        // Where a row has a single telling cell, nothing shows that the two are one row.
        expect(judgement.verdict === 'fail' || judgement.notes.length > 0).toBe(true);
      }),
    );
  });

  it('is judged the same whatever the order of the effects', () => {
    fc.assert(
      fc.property(tables, rounds, fc.boolean(), (world, count, doubles) => {
        const trial = doubles ? inOneRound(world, (effects) => [...effects, ...effects]) : undefined;
        const evidence = tell(storyOf(world, { rounds: count, ...(trial ? { trial } : {}) }));
        const turned = evidence.trial.map((stretch) => ({ ...stretch, effects: stretch.effects.toReversed() }));
        const [one, other] = [judge(evidence), judge({ ...evidence, trial: turned })];
        expect(other.verdict).toBe(one.verdict);
        expect(other.hits).toBe(one.hits);
        expect(other.findings.map(({ check, title }) => `${check} ${title}`).sort()).toEqual(
          one.findings.map(({ check, title }) => `${check} ${title}`).sort(),
        );
      }),
    );
  });

  it('is judged the same whatever the fresh ids are', () => {
    fc.assert(
      fc.property(tables, rounds, fc.stringMatching(/^[a-z]{3,8}$/), (world, count, name) => {
        const trial = inOneRound(world, (effects) => effects.slice(1));
        const evidence = tell(storyOf(world, { rounds: count, trial }));
        const renamed = JSON.parse(
          JSON.stringify(evidence.trial, (_, value) => (typeof value === 'bigint' ? `big:${value}` : value)).replaceAll(
            /_round(\d+)/g,
            `_${name}$1`,
          ),
          (_, value) => (typeof value === 'string' && value.startsWith('big:') ? BigInt(value.slice(4)) : value),
        ) as Evidence['trial'];
        const others = renamed.map((stretch, at) => ({
          ...stretch,
          rounds: stretch.rounds.map((round, index) => ({
            ...round,
            toOriginal: (text: string) =>
              (evidence.trial[at]?.rounds[index]?.toOriginal ?? String)(
                text.replaceAll(new RegExp(`_${name}(?=${index + 1}(?!\\d))`, 'g'), '_round'),
              ),
          })),
        }));
        const [one, other] = [judge(evidence), judge({ ...evidence, trial: others })];
        expect({ ...other, findings: other.findings.map(({ title }) => title) }).toEqual({
          ...one,
          findings: one.findings.map(({ title }) => title),
        });
      }),
    );
  });
});
