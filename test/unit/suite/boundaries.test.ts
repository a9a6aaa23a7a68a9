import { describe, expect, it } from 'vitest';
import type { Turn } from '../../../src/model/receiver-control.ts';
import {
  boundariesOf,
  boundaryCode,
  boundaryText,
  turnCounts,
  whyMoved,
  whyOtherTalk,
} from '../../../src/suite/boundaries.ts';

const turn = (dependency: string, bytes: number, what?: string): Turn => ({
  dependency,
  opener: 80,
  bytes,
  ...(what ? { what } : {}),
});

const TURNS = [turn('DB', 100, 'INSERT INTO seen'), turn('API', 300, 'POST'), turn('DB', 200, 'INSERT INTO orders')];

describe('boundaries', () => {
  it('are before and after each turn, numbered by dependency', () => {
    expect(boundariesOf(TURNS).map(boundaryCode)).toEqual([
      'DB:before:1',
      'DB:after:1',
      'API:before:1',
      'API:after:1',
      'DB:before:2',
      'DB:after:2',
    ]);
    expect(turnCounts(TURNS)).toBe('2 turns of DB, 1 turn of API');
  });

  it('are named by what is said there', () => {
    expect(boundaryText({ dependency: 'DB', turn: 2, side: 'before' }, TURNS)).toBe(
      'before turn 2 of DB (INSERT INTO orders) reached the dependency',
    );
    expect(boundaryText({ dependency: 'API', turn: 1, side: 'after' }, TURNS)).toBe(
      'after turn 1 of API (POST), before its answer reached the receiver',
    );
  });

  it.each([
    ['is where it was', true, TURNS, undefined],
    [
      'ids that are a little longer do not move it',
      true,
      [turn('DB', 110, 'INSERT INTO seen'), turn('DB', 210, 'INSERT INTO orders')],
      undefined,
    ],
    ['it never came', false, [TURNS[0]], /did not come this time/],
    [
      'another statement stands there',
      true,
      [TURNS[0], turn('DB', 200, 'SELECT FROM orders')],
      /in another way.*turn 2 was SELECT FROM orders/,
    ],
    ['much more was said', true, [TURNS[0], turn('DB', 900, 'INSERT INTO orders')], /in another way/],
  ])('%s', (_name, struck, seen, why) => {
    const moved = whyMoved(
      { dependency: 'DB', turn: 2, side: 'after' },
      { struck, seen: seen as Turn[], counted: TURNS },
    );
    if (why === undefined) expect(moved).toBeUndefined();
    else expect(moved).toMatch(why);
  });

  it('two counts agree only when the same was said', () => {
    expect(whyOtherTalk(TURNS, TURNS)).toBeUndefined();
    expect(whyOtherTalk(TURNS, TURNS.slice(0, 2))).toBe('DB: 2 turns of DB, then 1 turn of DB');
    expect(whyOtherTalk(TURNS, [...TURNS.slice(0, 2), turn('DB', 20, 'COMMIT')])).toMatch(/turn 2 of DB/);
  });
});
