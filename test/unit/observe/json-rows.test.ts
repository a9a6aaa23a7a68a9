import { describe, expect, it } from 'vitest';
import { diffSnapshots } from '../../../src/observe/diff.ts';
import { parseExactJson } from '../../../src/observe/exact-json.ts';
import { rowsOfJson, valueAt } from '../../../src/observe/json-rows.ts';

const rows = (text: string, pointer = '') => rowsOfJson(parseExactJson(text), pointer).collections;
const changes = (before: string, after: string) =>
  diffSnapshots(rowsOfJson(parseExactJson(before), ''), rowsOfJson(parseExactJson(after), ''), 'x');

describe('rowsOfJson', () => {
  it('makes a counter of a number', () => {
    expect(rows('41', '/orders/count')).toEqual([
      { name: 'value', rows: [{ key: '/orders/count', cells: { value: 41 } }] },
    ]);
  });

  it('makes a counter of every number within objects, named by its pointer', () => {
    expect(rows('{"orders":{"paid":2,"a/b~c":12345678901234567890},"empty":{}}')).toEqual([
      {
        name: 'value',
        rows: [
          { key: '/orders/paid', cells: { value: 2 } },
          { key: '/orders/a~1b~0c', cells: { value: 12345678901234567890n } },
          { key: '/empty', cells: { value: '{}' } },
        ],
      },
    ]);
  });

  it('makes a row of each object with an id, with nested members as columns', () => {
    expect(rows('{"orders":[{"id":7,"to":{"city":"Ulm"},"lines":[1,2]},{"id":"x"}]}')).toEqual([
      {
        name: 'orders',
        rows: [
          { key: '/orders/7', cells: { id: 7, 'to/city': 'Ulm', lines: '[1,2]' } },
          { key: '/orders/x', cells: { id: 'x' } },
        ],
      },
    ]);
  });

  it('counts an element in front of others as one added row, with ids and without', () => {
    expect(changes('[{"id":1},{"id":2}]', '[{"id":3},{"id":1},{"id":2}]')).toMatchObject([
      { kind: 'added', key: '/3' },
    ]);
    expect(changes('["a","b"]', '["c","a","b"]')).toMatchObject([{ kind: 'added', after: { value: 'c' } }]);
    expect(changes('[{"to":"a"}]', '[{"to":"a"},{"to":"a"}]')).toMatchObject([{ kind: 'added', after: { to: 'a' } }]);
  });

  it.each(['[{"id":1,"n":1},{"id":1,"n":2}]', '[{"id":1},{"n":2}]', '[{"id":null},{"id":2}]'])(
    'does not lose a row of %s, where ids do not name the rows',
    (text) => {
      const [items] = rows(text);
      expect(new Set(items?.rows.map(({ key }) => key)).size).toBe(2);
    },
  );

  it('sees that the first element of an empty array is one added row', () => {
    expect(changes('{"mails":[]}', '{"mails":["hello"]}')).toMatchObject([{ kind: 'added', collection: 'mails' }]);
  });

  it('compares a changed member of a row in place', () => {
    expect(changes('[{"id":1,"n":{"a":1}}]', '[{"id":1,"n":{"a":2}}]')).toMatchObject([
      { kind: 'changed', key: '/1', before: { 'n/a': 1 }, after: { 'n/a': 2 } },
    ]);
  });

  it('keeps members with odd names as they are', () => {
    expect(rows('{"__proto__":1,"constructor":2}')).toEqual([
      {
        name: 'value',
        rows: [
          { key: '/__proto__', cells: { value: 1 } },
          { key: '/constructor', cells: { value: 2 } },
        ],
      },
    ]);
  });
});

describe('valueAt', () => {
  const document = parseExactJson('{"a":[{"b/c":1},null],"":{"~":2},"length":3}');
  it.each<[string, unknown]>([
    ['', document],
    ['/a/0/b~1c', 1],
    ['/a/1', null],
    ['//~0', 2],
    ['/length', 3],
    ['/a/length', undefined],
    ['/a/2', undefined],
    ['/a/1/x', undefined],
    ['/toString', undefined],
  ])('finds what %j names', (pointer, value) => {
    expect(valueAt(document, pointer)).toEqual(value);
  });
});
