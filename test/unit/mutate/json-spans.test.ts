import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { jsonSpans, type Span } from '../../../src/mutate/json-spans.ts';
import { byteAt } from '../../../src/mutate/view.ts';
import { leavesOf } from './events.ts';

function spansOf(json: string | Buffer) {
  const bytes = typeof json === 'string' ? Buffer.from(json, 'utf8') : json;
  return jsonSpans({ text: bytes.toString('latin1'), start: 0 });
}

function values(spans: readonly Span[]): readonly Span[] {
  return spans.filter(({ kind }) => kind !== 'key');
}

describe('jsonSpans', () => {
  it('names every place by pointer, nearest key and the key of the object around', () => {
    const { spans, complete } = spansOf('{"a":[1,{"b":"x"}],"c/d":{"e~f":"y"}}');
    expect(complete).toBe(true);
    expect(spans.map(({ kind, pointer, key, parent, view }) => [kind, pointer, key, parent, view.text])).toEqual([
      ['key', '/a', 'a', '', 'a'],
      ['number', '/a/0', 'a', '', '1'],
      ['key', '/a/1/b', 'b', 'a', 'b'],
      ['string', '/a/1/b', 'b', 'a', 'x'],
      ['key', '/c~1d', 'c/d', '', 'c/d'],
      ['key', '/c~1d/e~0f', 'e~f', 'c/d', 'e~f'],
      ['string', '/c~1d/e~0f', 'e~f', 'c/d', 'y'],
    ]);
  });

  it('knows the byte of every character, through escapes and UTF-8', () => {
    const json = '{"ü":"\\u0041\\/b\\n\\"c"}';
    const [, span] = spansOf(json).spans;
    const bytes = Buffer.from(json, 'utf8');
    expect(span?.view.text).toBe('A/b\n"c');
    const starts = [...'A/b\n"c'].map((_, index) => byteAt(span?.view ?? { text: '', start: 0 }, index));
    expect(starts.map((start) => String.fromCharCode(bytes[start] ?? 0))).toEqual(['\\', '\\', 'b', '\\', '\\', 'c']);
    expect(bytes[byteAt(span?.view ?? { text: '', start: 0 }, 6)]).toBe(0x22);
  });

  it.each([
    ['a byte order mark', Buffer.from('\ufeff{"id":"a"}')],
    ['invalid UTF-8', Buffer.concat([Buffer.from('{"id":"'), Buffer.from([0xff, 0xc0]), Buffer.from('"}')])],
    ['a lone surrogate', Buffer.from('{"id":"\\ud800"}')],
    ['duplicate keys', Buffer.from('{"id":"a","id":"b"}')],
    ['a control character', Buffer.from('{"id":"a\tb"}')],
    ['numbers beyond a double', Buffer.from('[12345678901234567890123456789, -0, 1E400, 1.10]')],
    ['a single text', Buffer.from(' "a" ')],
    ['empty objects and lists', Buffer.from('{"a":{},"b":[],"c":[[]]}')],
  ])('reads %s', (_, bytes) => {
    expect(spansOf(bytes).complete).toBe(true);
  });

  it('keeps both of two equal keys', () => {
    expect(values(spansOf('{"id":"a","id":"b"}').spans).map(({ pointer, view }) => pointer + view.text)).toEqual([
      '/ida',
      '/idb',
    ]);
  });

  it.each([
    '',
    '{',
    '{"a"',
    '{"a":',
    '{"a":1',
    '{"a":1,}',
    '[1,',
    '[1 2]',
    '{"a":tru}',
    '"abc',
    '{a:1}',
    '{} x',
    'nul',
    '{]',
  ])('says that %s is not one whole value', (json) => {
    expect(spansOf(json).complete).toBe(false);
  });

  it('finds the texts and numbers that JSON.parse finds, at the same pointers', () => {
    fc.assert(
      fc.property(fc.json(), (json) => {
        const expected = [...leavesOf(JSON.parse(json))].filter(
          ([, value]) => typeof value === 'string' || typeof value === 'number',
        );
        const found = values(spansOf(json).spans);
        // Of duplicate keys JSON.parse keeps the last; fc.json makes none.
        expect(found).toHaveLength(expected.length);
        expect(new Set(found.filter(({ kind }) => kind === 'number').map(({ view }) => Number(view.text)))).toEqual(
          new Set(expected.flatMap(([, value]) => (typeof value === 'number' ? [value] : []))),
        );
      }),
    );
  });

  it('gives the bytes of each place: what stands there, cut out, is the token', () => {
    fc.assert(
      fc.property(fc.json({ stringUnit: 'binary' }), (json) => {
        const bytes = Buffer.from(json, 'utf8');
        for (const { kind, view } of spansOf(json).spans) {
          const raw = bytes.subarray(byteAt(view, 0), byteAt(view, view.text.length)).toString('utf8');
          if (kind === 'number') expect(raw).toBe(view.text);
          else expect(() => JSON.parse(`"${raw}"`)).not.toThrow();
        }
      }),
    );
  });

  it('never throws, wherever the text is cut or damaged', () => {
    fc.assert(
      fc.property(fc.json(), fc.nat(), fc.string(), (json, at, noise) => {
        const cut = at % (json.length + 1);
        expect(() => spansOf(json.slice(0, cut) + noise + json.slice(cut + 1))).not.toThrow();
      }),
    );
  });

  it('reads very deep nesting', () => {
    expect(spansOf(`${'['.repeat(20_000)}1${']'.repeat(20_000)}`).complete).toBe(true);
  });
});
