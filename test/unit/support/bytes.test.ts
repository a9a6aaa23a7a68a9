import { describe, expect, it } from 'vitest';
import { formatBytes, parseBytes } from '../../../src/support/bytes.ts';

describe('parseBytes', () => {
  it.each([
    ['0', 0],
    ['1048576', 1_048_576],
    ['12b', 12],
    ['64kb', 65_536],
    ['1mb', 1_048_576],
    ['1.5MiB', 1_572_864],
    ['2 G', 2_147_483_648],
  ])('reads %s', (text, bytes) => {
    expect(parseBytes(text, '--limit')).toBe(bytes);
  });

  it.each(['', 'mb', '-1', '1tb', '1 000', '0x10', '1ib', '1bb'])('refuses %j, naming the flag', (text) => {
    expect(() => parseBytes(text, '--limit')).toThrow('(--limit)');
  });
});

describe('formatBytes', () => {
  it.each([
    [0, '0 B'],
    [1023, '1023 B'],
    [1024, '1 KB'],
    [4915, '4.8 KB'],
    [33_554_432, '32 MB'],
    [3_221_225_472, '3 GB'],
  ])('writes %d as %s', (bytes, text) => {
    expect(formatBytes(bytes)).toBe(text);
  });
});
