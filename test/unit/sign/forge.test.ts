import { describe, expect, it } from 'vitest';
import { FIXTURES } from '../../../src/fixtures/fixtures.ts';
import { PROVIDERS } from '../../../src/providers/list.ts';
import type { Provider, SignatureScheme } from '../../../src/providers/provider.ts';
import { createSigner } from '../../../src/sign/create-signer.ts';
import { tamper, withoutSignature, wrongSecret } from '../../../src/sign/forge.ts';
import { verifySignature } from '../../../src/sign/verify-signature.ts';
import { secretOf } from '../../support/secrets.ts';

const NOW_MS = 1_767_600_000_000;
const SECRET = secretOf('whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw');
const SIGNED = PROVIDERS.flatMap((provider): readonly [string, Provider, SignatureScheme][] =>
  provider.signature ? [[provider.id, provider, provider.signature]] : [],
);

describe.each(SIGNED)('a forged delivery of %s', (id, provider, scheme) => {
  const fixture = FIXTURES.find(({ facts }) => facts.provider === id);
  const payload = Buffer.from(fixture?.body ?? '', 'utf8');
  const url = new URL('http://127.0.0.1:3000/hooks');
  const input = { method: 'POST', url, headers: fixture?.headers ?? [], payload, nowMs: NOW_MS };
  const verdictOn = (headers: typeof input.headers, body: Uint8Array) =>
    verifySignature({
      request: { method: 'POST', path: '/hooks', query: null, headers, payload: body },
      scheme,
      secrets: [SECRET],
      nowMs: NOW_MS,
      url,
    }).kind;
  const sign = createSigner({ scheme, secrets: [SECRET] });

  it('is refused by a verifier that takes the right one', () => {
    const right = sign(input);
    expect(verdictOn(right, payload)).toBe('valid');
    expect(verdictOn(right, tamper(payload))).toBe('invalid');
    expect(verdictOn(createSigner({ scheme, secrets: [wrongSecret(scheme, SECRET)] })(input), payload)).toBe('invalid');
    expect(verdictOn(withoutSignature(scheme, provider.legacySignatures ?? [], right), payload)).toBe('invalid');
  });

  it('is still JSON when it was tampered with, in all but one byte the same', () => {
    const tampered = tamper(payload);
    expect(() => JSON.parse(Buffer.from(tampered).toString('utf8'))).not.toThrow();
    expect([...tampered].filter((byte, index) => byte !== payload[index])).toHaveLength(1);
  });
});

describe('tampering', () => {
  it.each(['', 'a', '"x"', '{}'])('changes %j', (text) => {
    expect(Buffer.from(tamper(Buffer.from(text))).equals(Buffer.from(text))).toBe(false);
  });
});
