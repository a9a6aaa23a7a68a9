import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseExactJson, textOfJson } from '../../../src/observe/exact-json.ts';

describe('parseExactJson', () => {
  it.each<[string, unknown]>([
    ['9007199254740993', 9007199254740993n],
    ['-9007199254740993', -9007199254740993n],
    ['9007199254740991', 9007199254740991],
    ['[9007199254740993, 9007199254740992]', [9007199254740993n, 9007199254740992n]],
    ['0.1', 0.1],
    ['1.0', 1],
    ['1e3', 1000],
    ['12345678901234567.89', '12345678901234567.89'],
    ['0.12345678901234567890', '0.12345678901234567890'],
    ['1e400', '1e400'],
    ['0.30000000000000004', 0.30000000000000004],
    ['0.0', 0],
    ['{"id":"9007199254740993","n":10000000000000001}', { id: '9007199254740993', n: 10000000000000001n }],
    ['{"a 12345678901234567 \\" 1.5":1.5}', { 'a 12345678901234567 " 1.5': 1.5 }],
    ['["\\u0000\\u00001","\\u00002",12345678901234567890]', ['\0\u00001', '\u00002', 12345678901234567890n]],
  ])('reads %s without loss', (text, expected) => {
    expect(parseExactJson(text)).toStrictEqual(expected);
  });

  it.each(['', '{', '01', '[1,]', '1.', 'NaN', '{"a":12345678901234567890,}'])('refuses %j', (text) => {
    expect(() => parseExactJson(text)).toThrow(SyntaxError);
  });

  it('reads all that was printed by JavaScript as JSON.parse reads it', () => {
    fc.assert(
      fc.property(fc.json(), (text) => {
        const exact = JSON.stringify(parseExactJson(text), (_name, value) =>
          typeof value === 'bigint' ? Number(value) : value,
        );
        expect(JSON.parse(exact)).toEqual(JSON.parse(text));
      }),
    );
  });
});

describe('textOfJson', () => {
  it('gives equal documents one text, whatever the order of members', () => {
    expect(textOfJson(parseExactJson('{"b":[1,{"d":null,"c":12345678901234567890}],"a":"x"}'))).toBe(
      '{"a":"x","b":[1,{"c":12345678901234567890,"d":null}]}',
    );
  });
});
