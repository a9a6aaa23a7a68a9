import { createHmac } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { Headers } from '../../../src/model/event.ts';
import type { Verification } from '../../../src/model/sign.ts';
import { findProvider } from '../../../src/providers/list.ts';
import type { SignatureScheme } from '../../../src/providers/provider.ts';
import { createSigner } from '../../../src/sign/create-signer.ts';
import { templateScheme } from '../../../src/sign/template-scheme.ts';
import { verifySignature } from '../../../src/sign/verify-signature.ts';
import { bodyRequest } from '../../support/requests.ts';
import { secretOf } from '../../support/secrets.ts';

const NOW = 1_700_000_000_000;
const WHSEC = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const [STRIPE, GITHUB, SVIX] = ['stripe', 'github', 'svix'].map(
  (id) => findProvider(id).signature as SignatureScheme,
) as [SignatureScheme, SignatureScheme, SignatureScheme];

function headersFor(scheme: SignatureScheme, body: string, { secret = WHSEC, nowMs = NOW } = {}): Headers {
  const sign = createSigner({ scheme, secrets: [secretOf(secret)] });
  return sign({ method: 'POST', url: new URL('http://localhost/'), headers: [], payload: Buffer.from(body), nowMs });
}

type Received = { readonly body?: string; readonly headers: Headers; readonly secrets?: readonly string[] };

function check(scheme: SignatureScheme, { body = '{}', headers, secrets = [WHSEC] }: Received): Verification {
  const named = secrets.map((value, index) => secretOf(value, `env:S${index}`));
  return verifySignature({ request: bodyRequest(body, headers), scheme, secrets: named, nowMs: NOW });
}

function hub(body: string, secret: string | Buffer = WHSEC, algorithm = 'sha256'): Headers {
  return [['X-Hub-Signature-256', `sha256=${createHmac(algorithm, secret).update(body).digest('hex')}`]];
}

describe('verifySignature', () => {
  it('names the secret that signed', () => {
    const headers = headersFor(STRIPE, '{}', { secret: 'new' });
    expect(check(STRIPE, { headers, secrets: ['old', 'new'] })).toEqual({ kind: 'valid', secret: 'env:S1' });
  });

  it.each([
    ['a right one behind a wrong one', 't=1700000000,v1=00,v1=RIGHT'],
    ['the parts in any order, with blanks', 'v0=00, v1=RIGHT , t=1700000000'],
  ])('takes %s', (_name, value) => {
    const right = createHmac('sha256', WHSEC).update('1700000000.{}').digest('hex');
    const headers: Headers = [['stripe-signature', value.replace('RIGHT', right)]];
    expect(check(STRIPE, { headers }).kind).toBe('valid');
  });

  it.each([
    [STRIPE, 301_000, { kind: 'stale', ageSeconds: 301, toleranceSeconds: 300, secret: 'env:S0' }],
    [STRIPE, 300_000, { kind: 'valid', secret: 'env:S0' }],
    [STRIPE, -99_000_000, { kind: 'valid', secret: 'env:S0' }],
    [SVIX, 301_000, { kind: 'stale', ageSeconds: 301, toleranceSeconds: 300, secret: 'env:S0' }],
    [SVIX, -300_000, { kind: 'valid', secret: 'env:S0' }],
    [SVIX, -301_000, { kind: 'stale', ageSeconds: -301, toleranceSeconds: 300, secret: 'env:S0' }],
  ] as const)('judges the age of %o at %i ms as the own library does', (scheme, age, expected) => {
    expect(check(scheme, { headers: headersFor(scheme, '{}', { nowMs: NOW - age }) })).toEqual(expected);
  });

  it.each([
    [STRIPE, [], 'The header "Stripe-Signature" is missing.'],
    [SVIX, [['svix-signature', 'v1,x']], 'The header "svix-timestamp" is missing.'],
    [
      SVIX,
      [
        ['svix-signature', 'v1,x'],
        ['svix-timestamp', '1'],
      ],
      'The header "svix-id" is missing.',
    ],
    [STRIPE, [['Stripe-Signature', 'v1=00']], 'The header "Stripe-Signature" carries no timestamp.'],
    [STRIPE, [['Stripe-Signature', 't=1,v0=00']], 'The header "Stripe-Signature" carries no "v1=...".'],
    [GITHUB, [['X-Hub-Signature-256', '00']], 'The header "X-Hub-Signature-256" carries no "sha256=...".'],
  ] as ReadonlyArray<[SignatureScheme, Headers, string]>)('says what %o lacks', (scheme, headers, reason) => {
    expect(check(scheme, { headers })).toMatchObject({ kind: 'invalid', reason });
  });

  const body = '{"a": 1, "b": "\u00e9/"}\n';
  it.each([
    ['the body without its last line break', '{}\n', hub('{}')],
    ['the body with a line break at its end', '{}', hub('{}\n')],
    ['the body with LF lines', '{\r\n}', hub('{\n}')],
    ['the body with CRLF lines', '{\n}', hub('{\r\n}')],
    ['the body without its byte order mark', '\ufeff{}', hub('{}')],
    ['the body with a byte order mark', '{}', hub('\ufeff{}')],
    ['parsed and written again as compact JSON', body, hub('{"a":1,"b":"\u00e9/"}')],
    ['parsed and written again with indentation', body, hub('{\n  "a": 1,\n  "b": "\u00e9/"\n}')],
    ['parsed and written again as Python does', body, hub('{"a": 1, "b": "\\u00e9/"}')],
    ['parsed and written again as PHP does', body, hub('{"a":1,"b":"\\u00e9\\/"}')],
    ['an empty body', '{}', hub('')],
  ])('sees that the signature is right for %s', (words, received, headers) => {
    const found = check(GITHUB, { body: received, headers });
    expect(found).toMatchObject({ kind: 'invalid', cause: 'body-changed' });
    expect(found).toMatchObject({ reason: expect.stringContaining(words) });
  });

  it.each([
    ['decoded as base64 behind its prefix', WHSEC, Buffer.from('MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', 'base64')],
    ['decoded as hexadecimal', 'c0ffee', Buffer.from('c0ffee', 'hex')],
    ['taken as text without its prefix', 'whsec_x', Buffer.from('x')],
    ['freed of the white space around it', ' key ', Buffer.from('key')],
    ['given a line break at its end', 'key', Buffer.from('key\n')],
  ])('sees that the secret was %s', (words, secret, key) => {
    const found = check(GITHUB, { headers: hub('{}', key), secrets: [secret] });
    expect(found).toMatchObject({ kind: 'invalid', cause: 'secret-form', reason: expect.stringContaining(words) });
  });

  it.each([
    ['an HMAC with sha512', hub('{}', WHSEC, 'sha512')],
    [
      'written in base64',
      [['X-Hub-Signature-256', `sha256=${createHmac('sha256', WHSEC).update('{}').digest('base64')}`]],
    ],
    [
      'in capital letters',
      [['X-Hub-Signature-256', `sha256=${createHmac('sha256', WHSEC).update('{}').digest('hex').toUpperCase()}`]],
    ],
  ] as ReadonlyArray<[string, Headers]>)('sees a signature that is %s', (words, headers) => {
    const found = check(GITHUB, { headers });
    expect(found).toMatchObject({ kind: 'invalid', cause: 'other-scheme', reason: expect.stringContaining(words) });
  });

  it('sees a signature over the body alone where the timestamp belongs to it', () => {
    const v1 = createHmac('sha256', WHSEC).update('{}').digest('hex');
    const found = check(STRIPE, { headers: [['Stripe-Signature', `t=1700000000,v1=${v1}`]] });
    expect(found).toMatchObject({ cause: 'other-scheme', reason: expect.stringContaining('covers "{body}"') });
  });

  it('names all secrets, and shows none, when nothing matches', () => {
    const found = check(GITHUB, { headers: hub('[]'), secrets: ['first-secret', 'second-secret'] });
    expect(found).toMatchObject({ kind: 'invalid', cause: 'no-match' });
    expect(JSON.stringify(found)).toMatch(/env:S0.*env:S1/);
    expect(JSON.stringify(found)).not.toMatch(/first-secret|second-secret/);
  });

  it('cannot tell without a secret, nor without the host when the URL is covered', () => {
    expect(check(GITHUB, { headers: hub('{}'), secrets: [] }).kind).toBe('cannot-tell');
    const scheme = templateScheme({ header: 'x-sig', content: '{url}{body}' });
    expect(check(scheme, { headers: [['x-sig', '00']] }).kind).toBe('cannot-tell');
  });

  it('tries https and http where the URL is covered and only the Host header is known', () => {
    const scheme = templateScheme({ header: 'x-sig', content: '{method}{url}{body}' });
    for (const protocol of ['https', 'http']) {
      const value = createHmac('sha256', WHSEC).update(`POST${protocol}://app.test/hooks{}`).digest('hex');
      const headers: Headers = [
        ['Host', 'app.test'],
        ['x-sig', value],
      ];
      expect(check(scheme, { headers }).kind).toBe('valid');
    }
  });
});
