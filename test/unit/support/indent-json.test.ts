import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { indentJson } from '../../../src/support/indent-json.ts';

describe('indentJson', () => {
  it('arranges as JSON.stringify does', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const expected = JSON.stringify(value, null, 2);
        expect(indentJson(JSON.stringify(value))).toBe(expected);
        expect(indentJson(expected)).toBe(expected);
      }),
    );
  });

  it('changes nothing but whitespace', () => {
    const json = '{"a":12345678901234567890,"a":1.0,"u":"\\u00e9\\/ {,:}","e":1E400,"z":-0}';
    expect(indentJson(json)).toBe(
      '{\n  "a": 12345678901234567890,\n  "a": 1.0,\n  "u": "\\u00e9\\/ {,:}",\n  "e": 1E400,\n  "z": -0\n}',
    );
  });
});
