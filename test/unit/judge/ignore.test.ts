import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { applyIgnore, isIgnored, type Place, parseIgnore, unusedRules } from '../../../src/judge/ignore.ts';
import type { Cell, Effect } from '../../../src/model/effect.ts';

type Cells = Readonly<Record<string, Cell>>;

const at = (collection: string, column?: string, effect = 'app'): Place => ({ effect, collection, column });
const added = (collection: string, after: Cells, key = '1'): Effect => ({
  effect: 'app',
  collection,
  kind: 'added',
  key,
  before: null,
  after,
});
const removed = (collection: string, before: Cells, key = '1'): Effect => ({
  effect: 'app',
  collection,
  kind: 'removed',
  key,
  before,
  after: null,
});
const changed = (collection: string, before: Cells, after: Cells): Effect => ({
  effect: 'app',
  collection,
  kind: 'changed',
  key: '1',
  before,
  after,
});
const ignore = (effects: readonly Effect[], ...globs: readonly string[]) =>
  applyIgnore(effects, globs.map(parseIgnore));

describe('isIgnored', () => {
  it.each<[string, Place]>([
    ['receipts', at('receipts')],
    ['receipts', at('receipts', 'seen_at')],
    ['receipts.seen_at', at('receipts', 'seen_at')],
    ['*.updated_at', at('orders', 'updated_at')],
    ['rec*', at('receipts')],
    ['re*pt*', at('receipts', 'x')],
    ['orders.*_at', at('orders', 'updated_at')],
    ['app:orders.total', at('orders', 'total')],
    ['a*:orders', at('orders')],
    ['app.db:orders', at('orders', undefined, 'app.db')],
    ['public.orders', at('public.orders')],
    ['public.orders', at('public.orders', 'total')],
    ['public.orders.total', at('public.orders', 'total')],
    ['*.orders.total', at('public.orders', 'total')],
    ['a+b(c)', at('a+b(c)')],
    ['order items', at('order items')],
    ['stats#/uptime', { ...at('value', 'value', 'stats'), pointer: '/uptime' }],
    ['stats#/process', { ...at('value', 'value', 'stats'), pointer: '/process/uptime' }],
    ['*#/orders/*/seen', { ...at('orders', 'seen', 'stats'), pointer: '/orders/17/seen' }],
    ['stats#/a~1b', { ...at('value', 'value', 'stats'), pointer: '/a~1b' }],
  ])('%s matches %j', (glob, place) => {
    expect(isIgnored([parseIgnore(glob)], place)).toBe(true);
  });

  it.each<[string, Place]>([
    ['receipts.seen_at', at('receipts')],
    ['receipts.seen_at', at('receipts', 'seen')],
    ['Receipts', at('receipts')],
    ['receipts.Seen_at', at('receipts', 'seen_at')],
    ['rec', at('receipts')],
    ['*', at('public.orders')],
    ['orders*', at('orders.total')],
    ['*', at('a.b', 'c')],
    ['other:orders', at('orders')],
    ['a.c', at('abc')],
    ['orders.total', at('public.orders', 'total')],
    ['stats#/up', { ...at('value', 'value', 'stats'), pointer: '/uptime' }],
    ['stats#/process/uptime', { ...at('value', 'value', 'stats'), pointer: '/process' }],
    ['stats#/*', { ...at('value', 'value', 'other'), pointer: '/uptime' }],
    ['stats#/*/seen', { ...at('orders', 'seen', 'stats'), pointer: '/orders/17/seen' }],
    ['stats#/uptime', at('value', 'value', 'stats')],
  ])('%s does not match %j', (glob, place) => {
    expect(isIgnored([parseIgnore(glob)], place)).toBe(false);
  });

  it('matches any collection and column by their own names', () => {
    const name = fc.stringMatching(/^[^.#:/*\s]+$/);
    fc.assert(
      fc.property(name, name, name, (effect, collection, column) => {
        expect(isIgnored([parseIgnore(`${effect}:${collection}.${column}`)], { effect, collection, column })).toBe(
          true,
        );
      }),
    );
  });
});

describe('parseIgnore', () => {
  it.each(['', ' ', '.', 'a.', '.a', 'a..b', ':a', 'a:', 'a:b:c', '#/a', 'a#', 'a#b', 'a:b#/c', 'a/b', ' a'])(
    'refuses %j',
    (text) => {
      expect(() => parseIgnore(text)).toThrow(`"${text}" is not something to ignore (--ignore).`);
    },
  );
});

describe('applyIgnore', () => {
  it('leaves everything as it is without a rule, or without one that matches', () => {
    const effects = [added('orders', { id: 1 })];
    expect(ignore(effects)).toBe(effects);
    expect(ignore(effects, 'mails')).toEqual(effects);
  });

  it('drops the rows of an ignored table and nothing else', () => {
    const order = added('orders', { id: 1 });
    expect(ignore([added('receipts', { id: 1 }), order], 'receipts')).toEqual([order]);
  });

  it('drops a changed row in which only ignored cells changed', () => {
    const effects = [changed('orders', { id: 1, seen: 1 }, { id: 1, seen: 2 })];
    expect(ignore(effects, 'orders.seen')).toEqual([]);
    expect(ignore(effects, 'orders.id')).toHaveLength(1);
  });

  it('keeps what else changed in a row, without the ignored cells', () => {
    const effects = [
      changed('orders', { id: 1, n: 1n, b: { bytes: '00' }, seen: 1 }, { id: 1, n: 2n, b: { bytes: '00' }, seen: 2 }),
    ];
    expect(ignore(effects, '*.seen')).toEqual([
      changed('orders', { id: 1, n: 1n, b: { bytes: '00' } }, { id: 1, n: 2n, b: { bytes: '00' } }),
    ]);
  });

  it('keeps an added row: a second row is a second effect whatever its cells', () => {
    expect(ignore([added('orders', { id: 1, seen: 1 })], 'orders.seen')).toEqual([added('orders', { id: 1 })]);
  });

  it('takes a row that was replaced by an equal one but for what is ignored for no effect', () => {
    const pair = [removed('locks', { id: 1, owner: 'a' }, '1'), added('locks', { id: 2, owner: 'a' }, '2')];
    expect(ignore(pair, 'locks.id')).toEqual([]);
    expect(ignore([...pair, added('locks', { id: 3, owner: 'a' }, '3')], 'locks.id')).toHaveLength(1);
    expect(ignore(pair, 'locks.owner')).toHaveLength(2);
    expect(ignore(pair, 'mails')).toEqual(pair);
  });

  it('ignores parts of a JSON document by pointer', () => {
    const value = {
      effect: 'stats',
      collection: 'value',
      kind: 'changed',
      before: { value: 1 },
      after: { value: 2 },
    } as const;
    const effects: readonly Effect[] = [
      { ...value, key: '/uptime' },
      { ...value, key: '/orders/paid' },
      {
        effect: 'stats',
        collection: 'mails',
        kind: 'changed',
        key: '/mails/7',
        before: { seen: 1, to: 'a' },
        after: { seen: 2, to: 'a' },
      },
    ];
    expect(ignore(effects, 'stats#/uptime', 'stats#/mails/*/seen').map(({ key }) => key)).toEqual(['/orders/paid']);
    expect(ignore(effects, 'stats#/mails').map(({ key }) => key)).toEqual(['/uptime', '/orders/paid']);
  });
});

describe('unusedRules', () => {
  it('names the rules that match nothing that was seen', () => {
    const effects = [added('orders', { id: 1, seen: 1 }), removed('mails', { to: 'a' })];
    const rules = ['orders.seen', 'mail', 'mails.to', 'orders.sen', 'other:orders', '*.id'].map(parseIgnore);
    expect(unusedRules(rules, effects)).toEqual(['mail', 'orders.sen', 'other:orders']);
  });
});
