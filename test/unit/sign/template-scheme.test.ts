import { describe, expect, it } from 'vitest';
import { templateScheme } from '../../../src/sign/template-scheme.ts';

describe('templateScheme', () => {
  it('needs no more than the header', () => {
    expect(templateScheme({ header: 'x-signature' })).toMatchObject({
      algorithm: 'sha256',
      key: 'utf8',
      content: '{body}',
      encoding: 'hex',
      header: 'x-signature',
      value: '{signatures}',
      each: '{signature}',
      join: null,
    });
  });

  it.each([
    ['no object', [], 'A signature scheme is a JSON object.'],
    ['null', null, 'A signature scheme is a JSON object.'],
    ['no header', {}, 'does not say which header'],
    ['a header that is none', { header: 'x sig:' }, '"x sig:" is no name of a header.'],
    ['an unknown field', { header: 'x', contents: '' }, 'has no field "contents".'],
    ['an unknown placeholder', { header: 'x', content: '{nonce}{body}' }, '"{nonce}" in "content" is no placeholder.'],
    ['a placeholder in the wrong place', { header: 'x', value: '{body}{signatures}' }, '"{body}" in "value"'],
    ['a header placeholder without a name', { header: 'x', content: '{header}' }, '"{header}" in "content"'],
    ['an unknown algorithm', { header: 'x', algorithm: 'md5' }, '"md5" is no algorithm of a signature scheme.'],
    ['an unknown encoding', { header: 'x', encoding: 'HEX' }, '"HEX" is no encoding'],
    ['a value without a signature', { header: 'x', value: 'v1' }, '"value" of the scheme holds no signature.'],
    ['an each without a signature', { header: 'x', each: 'v1' }, '"each" of the scheme holds no signature.'],
    ['a time without a unit', { header: 'x', content: '{timestamp}' }, 'uses {timestamp} without saying its unit.'],
    ['an id without a header', { header: 'x', content: '{id}' }, 'uses {id} without saying where it stands.'],
    ['a tolerance of zero', { header: 'x', timestamp: { toleranceSeconds: 0 } }, '"toleranceSeconds"'],
    ['a number for text', { header: 'x', content: 1 }, '"content" of the scheme is not text.'],
  ])('refuses %s', (_name, json, message) => {
    expect(() => templateScheme(json)).toThrow(message);
  });
});
