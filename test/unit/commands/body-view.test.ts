import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { bodyView } from '../../../src/commands/body-view.ts';

const view = (payload: Uint8Array | string, encoding?: string) =>
  bodyView(Buffer.from(payload), encoding === undefined ? [] : [['content-ENCODING', encoding]]);

describe('bodyView', () => {
  it.each([
    ['', 'empty', ''],
    ['{"a":1.0}', 'JSON, indented', '{\n  "a": 1.0\n}'],
    ['\ufeff{"a":1}', 'JSON, indented', '{\n  "a": 1\n}'],
    ['a=1&b=\u001b', 'text', 'a=1&b=\\x1b'],
  ])('%j', (payload, title, ...[text]) => {
    expect(view(payload)).toEqual({ title, text });
  });

  it('shows bytes that are no text in hex, the first of them', () => {
    expect(view(new Uint8Array([0xff, 0x41, 0])).text).toBe(`00000000  ff 41 00${' '.repeat(39)}  .A.`);
    expect(view(new Uint8Array(1000)).text).toMatch(/\n\.\.\. 488 bytes more$/);
  });

  it.each([
    ['gzip', gzipSync('{}')],
    ['x-gzip', gzipSync('{}')],
    ['deflate', deflateSync('{}')],
    ['br', brotliCompressSync('{}')],
  ])('says that it shows a view decoded from %s', (encoding, payload) => {
    expect(view(payload, encoding)).toEqual({ title: `JSON, indented; a view decoded from ${encoding}`, text: '{}' });
  });

  it('says when a body is not encoded as its header claims', () => {
    expect(view('plain', 'gzip')).toEqual({ title: 'text; it says gzip, but cannot be decoded', text: 'plain' });
  });

  it('decodes no bomb', () => {
    expect(view(gzipSync(Buffer.alloc(50_000_000)), 'gzip').title).toMatch(/cannot be decoded/);
  });

  it('cuts a long text and says how much is left', () => {
    expect(view('x'.repeat(70_000)).text).toMatch(/\n\.\.\. 4464 characters more$/);
  });
});
