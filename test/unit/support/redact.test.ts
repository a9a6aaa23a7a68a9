import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createRedactor, redactDeep } from '../../../src/support/redact.ts';

function redactorOf(...secrets: readonly string[]) {
  const redactor = createRedactor();
  for (const secret of secrets) redactor.register(secret);
  return redactor;
}

describe('a redactor', () => {
  it('takes out a secret in every spelling, whatever stands around it', () => {
    const text = fc.string({ maxLength: 20 });
    fc.assert(
      fc.property(fc.string({ minLength: 4, unit: 'grapheme' }), text, text, (secret, before, after) => {
        const bytes = Buffer.from(secret);
        const hidden = redactorOf(secret);
        for (const spelling of [
          secret,
          bytes.toString('base64'),
          bytes.toString('hex'),
          bytes.toString('hex').toUpperCase(),
        ]) {
          expect(hidden.redact(`${before}${spelling}${after}`)).toContain('[secret]');
        }
        expect(hidden.redact(secret)).not.toContain(secret === '[secret]' ? '' : secret);
      }),
      { examples: [['a"b c&d', '', '']] },
    );
  });

  it('leaves words alone that stand behind whsec_ in a secret for tests', () => {
    expect(redactorOf('whsec_test').redact('webhook-replay test --secret whsec_test')).toBe(
      'webhook-replay test --secret [secret]',
    );
  });

  it('hides the part of a whsec_ secret that is the key', () => {
    expect(redactorOf('whsec_bXkta2V5LWJ5dGVz').redact('key bXkta2V5LWJ5dGVz')).toBe('key [secret]');
  });

  it('leaves words alone that are too short to be a secret', () => {
    expect(redactorOf('abc').redact('abc')).toBe('abc');
  });

  it.each([
    ['postgres://app:pass-word@db.test/x', 'postgres://app:***@db.test/x'],
    ['postgres://app:p@ss:word@db.test/x', 'postgres://app:***@db.test/x'],
    ['https://ghp_token@git.test/repo', 'https://***@git.test/repo'],
    ['redis://:pass-word@127.0.0.1:6379', 'redis://:***@127.0.0.1:6379'],
    ['http://localhost:3000/a@b', 'http://localhost:3000/a@b'],
    ['http://localhost:3000/?mail=a@b.test', 'http://localhost:3000/?mail=a@b.test'],
    ['send it to a@b.test: http://c.test', 'send it to a@b.test: http://c.test'],
  ])('shows of %s only %s', (url, shown) => {
    expect(redactorOf().redact(`see "${url}".`)).toBe(`see "${shown}".`);
  });

  it('goes through plain data and changes nothing but texts', () => {
    const data = { a: ['my-secret', 1, null, true], b: { c: 'my-secret!', d: undefined } };
    expect(redactDeep(data, redactorOf('my-secret'))).toEqual({
      a: ['[secret]', 1, null, true],
      b: { c: '[secret]!', d: undefined },
    });
    const bytes = new Uint8Array([1, 2]);
    const rich = { map: new Map([['my-secret', { a: 'my-secret' }]]), set: new Set(['my-secret', 'b']), bytes };
    expect(redactDeep(rich, redactorOf('my-secret'))).toEqual({
      map: new Map([['[secret]', { a: '[secret]' }]]),
      set: new Set(['[secret]', 'b']),
      bytes,
    });
  });
});
