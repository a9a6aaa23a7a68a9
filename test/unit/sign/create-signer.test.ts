import { createHmac } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Headers } from '../../../src/model/event.ts';
import { PROVIDERS } from '../../../src/providers/list.ts';
import type { SignatureScheme } from '../../../src/providers/provider.ts';
import { createSigner } from '../../../src/sign/create-signer.ts';
import { templateScheme } from '../../../src/sign/template-scheme.ts';
import { verifySignature } from '../../../src/sign/verify-signature.ts';
import { bodyRequest } from '../../support/requests.ts';
import { secretOf } from '../../support/secrets.ts';

const NOW = 1_700_000_000_123;
const WHSEC = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const URL_OF_RECEIVER = new URL('http://localhost:3000/hooks?a=1&a=2');

const SIGNING = PROVIDERS.flatMap(({ id, signature, legacySignatures }) =>
  signature ? [[id, signature, legacySignatures] as const] : [],
);
const EVERYTHING_COVERED = templateScheme({ header: 'x-sig', content: '{method} {url} {header:A} {body}' });

type Signing = { readonly payload: Uint8Array; readonly secrets?: readonly string[] };

function signWith(scheme: SignatureScheme, headers: Headers, { payload, secrets = [WHSEC] }: Signing): Headers {
  const sign = createSigner({ scheme, secrets: secrets.map((value) => secretOf(value)) });
  return sign({ method: 'POST', url: URL_OF_RECEIVER, headers, payload, nowMs: NOW });
}

describe.each([...SIGNING, ['a scheme that covers all', EVERYTHING_COVERED, undefined] as const])(
  '%s',
  (_id, scheme, legacy) => {
    it('signs each of many requests as if it were the only one, also those that share their headers', () => {
      const shared: readonly Headers[] = [
        [['A', '1']],
        [
          [scheme.header, 'old'],
          ['A', '2'],
        ],
      ];
      const input = fc.record({
        method: fc.constantFrom('POST', 'PUT'),
        url: fc.constantFrom(URL_OF_RECEIVER, new URL('http://localhost:3000/other')),
        headers: fc.constantFrom(...shared),
        payload: fc.constantFrom(Buffer.from('{}'), Buffer.from('{"a":1}')),
        nowMs: fc.integer({ min: 0, max: 3000 }).map((ms) => NOW + ms),
      });
      const newSigner = () => createSigner({ scheme, legacy, secrets: [secretOf(WHSEC)] });
      fc.assert(
        fc.property(fc.array(input, { maxLength: 30 }), (inputs) => {
          const sign = newSigner();
          for (const each of inputs) expect(sign(each)).toEqual(newSigner()(each));
        }),
      );
    });
  },
);

describe.each(SIGNING)('%s', (_id, scheme) => {
  const token = fc.constantFrom('Host', 'X-Trace', 'x-trace', 'Content-Type', 'Set-Cookie', scheme.header);
  const anyHeaders = fc.array(fc.tuple(token, fc.stringMatching(/^[!-~\u00a1-\u00ff]*$/)));

  it('signs any bytes among any headers so that our verifier takes them, and only them', () => {
    fc.assert(
      fc.property(fc.uint8Array(), anyHeaders, (payload, headers) => {
        const signed = signWith(scheme, headers, { payload });
        const verify = (bytes: Uint8Array) =>
          verifySignature({ request: bodyRequest(bytes, signed), scheme, secrets: [secretOf(WHSEC)], nowMs: NOW });
        expect(verify(payload)).toEqual({ kind: 'valid', secret: 'literal' });
        const changed = Buffer.concat([payload, Buffer.from([payload.at(-1) === 1 ? 2 : 1])]);
        expect(verify(changed).kind).toBe('invalid');
      }),
    );
  });

  it('keeps every other header, in order, case and repetition', () => {
    const own = new Set([scheme.header, scheme.idHeader, scheme.timestamp?.header].map((name) => name?.toLowerCase()));
    const others = (headers: Headers) => headers.filter(([name]) => !own.has(name.toLowerCase()));
    fc.assert(
      fc.property(anyHeaders, (headers) => {
        expect(others(signWith(scheme, headers, { payload: Buffer.from('{}') }))).toEqual(others(headers));
      }),
    );
  });

  it('replaces an old signature where it stands, drops a second one, and signs the same again', () => {
    const captured: Headers = [
      ['A', '1'],
      [scheme.header.toUpperCase(), 'old'],
      ['B', '2'],
      [scheme.header, 'older'],
    ];
    const signed = signWith(scheme, captured, { payload: Buffer.from('{}') });
    expect(signed.slice(0, 3).map(([name]) => name)).toEqual(['A', scheme.header.toUpperCase(), 'B']);
    expect(signed.filter(([name]) => name.toLowerCase() === scheme.header.toLowerCase())).toHaveLength(1);
    expect(signWith(scheme, signed, { payload: Buffer.from('{}') })).toEqual(signed);
  });

  it('carries one signature for each secret where it can, in the order given', () => {
    const [first, second] = [WHSEC, 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD'];
    const headers: Headers = scheme.idHeader ? [[scheme.idHeader, 'msg_1']] : [];
    const value = (secrets: string[]) =>
      signWith(scheme, headers, { payload: Buffer.from('{}'), secrets }).find(
        ([name]) => name === scheme.header,
      )?.[1] ?? '';
    const both = value([first, second]);
    if (scheme.join === null) expect(both).toBe(value([first]));
    else expect(both).toBe([value([first]), value([second]).split(scheme.join).at(-1)].join(scheme.join));
  });
});

describe('createSigner', () => {
  it('writes the header of stripe as stripe does', () => {
    const scheme = PROVIDERS.find(({ id }) => id === 'stripe')?.signature as SignatureScheme;
    const v1 = createHmac('sha256', 'whsec_a').update('1700000000.{}').digest('hex');
    expect(signWith(scheme, [], { payload: Buffer.from('{}'), secrets: ['whsec_a'] })).toEqual([
      ['Stripe-Signature', `t=1700000000,v1=${v1}`],
    ]);
  });

  it('gives a message without an id one that is the same for the same bytes', () => {
    const scheme = PROVIDERS.find(({ id }) => id === 'svix')?.signature as SignatureScheme;
    const idOf = (body: string) =>
      signWith(scheme, [], { payload: Buffer.from(body) }).find(([name]) => name === 'svix-id')?.[1];
    expect(idOf('{}')).toMatch(/^msg_[0-9a-f]{24}$/);
    expect(idOf('{}')).toBe(idOf('{}'));
    expect(idOf('{ }')).not.toBe(idOf('{}'));
  });

  it('renews the sha1 signature of GitHub where there is one, and never adds it', () => {
    const [, scheme, legacy] = SIGNING.find(([id]) => id === 'github') ?? [];
    const sign = createSigner({ scheme: scheme as SignatureScheme, legacy: legacy ?? [], secrets: [secretOf('s')] });
    const input = { method: 'POST', url: URL_OF_RECEIVER, payload: Buffer.from('{}'), nowMs: NOW };
    const sha1 = `sha1=${createHmac('sha1', 's').update('{}').digest('hex')}`;
    expect(sign({ ...input, headers: [['X-Hub-Signature', 'sha1=0']] })[0]).toEqual(['X-Hub-Signature', sha1]);
    expect(sign({ ...input, headers: [] }).map(([name]) => name)).toEqual(['X-Hub-Signature-256']);
  });

  it('refuses at once a secret that does not fit the scheme, without showing it', () => {
    const scheme = PROVIDERS.find(({ id }) => id === 'svix')?.signature as SignatureScheme;
    for (const value of ['whsec_not-base64', 'whsec_', 'whsec_abc', `${WHSEC}\n`, 'whsk_AAAA']) {
      const create = () => createSigner({ scheme, secrets: [secretOf(value, 'env:S')] });
      expect(create).toThrow(/^The secret "env:S" \(fingerprint [0-9a-f]{8}\) is not "whsec_" and base64/);
    }
    expect(() => createSigner({ scheme, secrets: [] })).toThrow('no secret');
  });
});

describe('a scheme of the user', () => {
  const signed = (json: object, secret: string): Headers =>
    signWith(templateScheme(json), [['X-App', 'caf\u00e9']], { payload: Buffer.from('{"a":1}'), secrets: [secret] });

  it.each([
    ['sha1', 'hex', 'utf8', 'key', Buffer.from('key')],
    ['sha256', 'base64', 'hex', '00ff10', Buffer.from([0, 255, 16])],
    ['sha384', 'base64url', 'base64', '//8=', Buffer.from([255, 255])],
    ['sha512', 'hex', 'base64-after-prefix', 'whsec_//8=', Buffer.from([255, 255])],
  ] as const)('takes %s', (...[algorithm, encoding, key, secret, bytes]) => {
    const expected = createHmac(algorithm, bytes).update('{"a":1}').digest(encoding);
    expect(signed({ header: 'X-Sig', algorithm, encoding, key }, secret)[1]).toEqual(['X-Sig', expected]);
  });

  it('covers whatever its template names, as the bytes on the wire', () => {
    const json = {
      header: 'X-Sig',
      content: 'é{method}|{url}|{path}|{query}|{header:x-app}|{timestamp}|{id}|{body}',
      value: 'ts={timestamp};{signatures}',
      each: 'h1={signature}',
      join: ';',
      timestamp: { unit: 'ms', header: 'X-Time' },
      idHeader: 'X-Id',
    };
    const headers = signWith(
      templateScheme(json),
      [
        ['X-App', 'caf\u00e9'],
        ['X-Id', 'id-1'],
      ],
      { payload: Buffer.from('{"a":1}'), secrets: ['key'] },
    );
    const head = Buffer.from('é', 'utf8');
    const rest = `POST|http://localhost:3000/hooks?a=1&a=2|/hooks|a=1&a=2|caf\u00e9|${NOW}|id-1|{"a":1}`;
    const expected = createHmac('sha256', 'key').update(head).update(rest, 'latin1').digest('hex');
    expect(headers.slice(2)).toEqual([
      ['X-Time', String(NOW)],
      ['X-Sig', `ts=${NOW};h1=${expected}`],
    ]);
  });

  it('may write its one signature straight into the value', () => {
    expect(signed({ header: 'X-Sig', value: 'HMAC {signature}' }, 'key')[1]?.[1]).toMatch(/^HMAC [0-9a-f]{64}$/);
  });

  it('says which header a request lacks that it covers', () => {
    expect(() => signed({ header: 'X-Sig', content: '{header:X-Nonce}{body}' }, 'key')).toThrow(
      'The signature covers the header "X-Nonce", which the request does not have.',
    );
  });
});
