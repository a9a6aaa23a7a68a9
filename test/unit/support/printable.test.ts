import { describe, expect, it } from 'vitest';
import { printable } from '../../../src/support/printable.ts';

describe('printable', () => {
  it.each([
    ['plain é 日本 🎉', 'plain é 日本 🎉'],
    ['\u001b[31m', '\\x1b[31m'],
    ['a\nb\tc\r', 'a\\nb\\tc\\r'],
    ['\u0000\u007f\u009b', '\\x00\\x7f\\x9b'],
    ['a\u202eb\u2066c', 'a\\u202eb\\u2066c'],
  ])('%j', (text, expected) => {
    expect(printable(text)).toBe(expected);
  });

  it('keeps line ends and tabs of a text of several lines', () => {
    expect(printable('a\n\tb\r\n', { lines: true })).toBe('a\n\tb\\r\n');
  });
});
