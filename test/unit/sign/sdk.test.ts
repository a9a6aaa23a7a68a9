import { randomUUID } from 'node:crypto';
import { verify as verifyGithub } from '@octokit/webhooks-methods';
import { ApiVersion, shopifyApi } from '@shopify/shopify-api';
import '@shopify/shopify-api/adapters/node';
import fc from 'fast-check';
import { Webhook as StandardWebhook } from 'standardwebhooks';
import Stripe from 'stripe';
import { Webhook as SvixWebhook } from 'svix';
import { describe, expect, it } from 'vitest';
import type { Headers } from '../../../src/model/event.ts';
import { findProvider } from '../../../src/providers/list.ts';
import { requiredHeaders } from '../../../src/providers/required-headers.ts';
import { createSigner } from '../../../src/sign/create-signer.ts';
import { secretOf } from '../../support/secrets.ts';

type Case = {
  readonly provider: string;
  readonly secret: string;
  readonly other: string;
  /** The provider's own library: true when it takes the request. */
  readonly accepts: (payload: Buffer, headers: Headers, secret: string) => boolean | Promise<boolean>;
};

const WHSEC = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const WHSEC_OTHER = 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD';

const STRIPE = new Stripe('sk_test_unused');

const CASES: readonly Case[] = [
  {
    provider: 'stripe',
    secret: 'whsec_test_0123456789abcdefghijklmnopqr',
    other: 'whsec_test_other',
    // As text: given a Buffer, stripe drops a byte order mark before it verifies.
    accepts: (payload, headers, secret) => {
      const header = textOf(headers, 'stripe-signature');
      return verifies(() => STRIPE.webhooks.constructEvent(payload.toString('utf8'), header, secret));
    },
  },
  {
    provider: 'github',
    secret: "It's a Secret to Everybody",
    other: 'another secret',
    accepts: (payload, headers, secret) =>
      verifyGithub(secret, payload.toString('utf8'), textOf(headers, 'x-hub-signature-256')),
  },
  {
    provider: 'shopify',
    secret: 'hush_shopify_test_secret',
    other: 'hush_other',
    accepts: acceptsShopify,
  },
  {
    provider: 'svix',
    secret: WHSEC,
    other: WHSEC_OTHER,
    accepts: (payload, headers, secret) =>
      verifies(() => new SvixWebhook(secret).verify(payload, Object.fromEntries(headers))),
  },
  {
    provider: 'standard-webhooks',
    secret: WHSEC,
    other: WHSEC_OTHER,
    accepts: (payload, headers, secret) =>
      verifies(() => new StandardWebhook(secret).verify(payload, Object.fromEntries(headers))),
  },
];

/** Valid UTF-8 that text-based libraries can take, and that parsing and writing again would change. */
const ODD = [
  '{"id":1}',
  '{ "text" : "\\u00e9\\ud83d\\ude00 é 😀 \u2028 \\/ \\ud800" , "n":1.0, "big":12345678901234567890 }\n',
  '\u{feff}{"bom":true}',
  '{\r\n\t"a":"\\u001B\\u001b"\r\n}\r\n\r\n',
  '[]',
  'null',
];

describe.each(CASES.map((one) => [one.provider, one] as const))('%s', (id, { secret, other, accepts }) => {
  const scheme = findProvider(id).signature;
  if (!scheme) throw new Error('no scheme');

  const signed = (payload: Buffer, secrets: readonly string[]): Headers => {
    const nowMs = Date.now();
    const headers = requiredHeaders(findProvider(id), { payload, nowMs, uuid: randomUUID, type: 'a.b' });
    const sign = createSigner({ scheme, secrets: secrets.map((one) => secretOf(one)) });
    return sign({ method: 'POST', url: new URL('http://localhost/hooks'), headers, payload, nowMs });
  };

  it.each(ODD.map((text) => [JSON.stringify(text), Buffer.from(text)] as const))(
    'signs %s so that the own library takes it',
    async (_text, payload) => {
      expect(await accepts(payload, signed(payload, [secret]), secret)).toBe(true);
    },
  );

  it('signs any JSON with any white space so that the own library takes it', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.json({ stringUnit: 'grapheme' }),
        fc.constantFrom('', ' ', '\n', '\r\n'),
        async (json, space) => {
          const payload = Buffer.from(json + space);
          expect(await accepts(payload, signed(payload, [secret]), secret)).toBe(true);
        },
      ),
      { numRuns: 30 },
    );
  });

  it('is refused by the own library when one byte changes or the secret is another', async () => {
    const payload = Buffer.from('{"amount":100}');
    const headers = signed(payload, [secret]);
    expect(await accepts(Buffer.from('{"amount":101}'), headers, secret)).toBe(false);
    expect(await accepts(payload, headers, other)).toBe(false);
  });

  const several = scheme.join !== null;
  it(several ? 'is taken with either of two secrets' : 'is signed with the first of two secrets only', async () => {
    const payload = Buffer.from('{"a":1}');
    const headers = signed(payload, [secret, other]);
    expect(await accepts(payload, headers, secret)).toBe(true);
    expect(await accepts(payload, headers, other)).toBe(several);
  });
});

describe('invalid UTF-8', () => {
  it('is signed as the bytes it is', async () => {
    const payload = Buffer.from([0x7b, 0xff, 0xfe, 0x80, 0x7d]);
    const sign = createSigner({ scheme: schemeOf('shopify'), secrets: [secretOf('key')] });
    const headers = sign({ method: 'POST', url: new URL('http://localhost/'), headers: [], payload, nowMs: 0 });
    const { subtle } = globalThis.crypto;
    const key = await subtle.importKey('raw', Buffer.from('key'), { name: 'HMAC', hash: 'SHA-256' }, false, ['verify']);
    const signature = Buffer.from(textOf(headers, 'x-shopify-hmac-sha256'), 'base64');
    expect(await subtle.verify('HMAC', key, signature, payload)).toBe(true);
  });
});

describe('shopify Events headers', () => {
  it('are taken by the own library when the captured request had them', async () => {
    const captured: Headers = [
      ['shopify-hmac-sha256', 'old'],
      ['shopify-topic', 'product'],
      ['shopify-shop-domain', 'example.myshopify.com'],
      ['shopify-api-version', '2026-01'],
      ['shopify-webhook-id', 'webhook-1'],
      ['shopify-event-id', 'event-1'],
    ];
    const payload = Buffer.from('{"id":788032119674292922}');
    const secret = 'hush_shopify_test_secret';
    const sign = createSigner({ scheme: schemeOf('shopify'), secrets: [secretOf(secret)] });
    const headers = sign({ method: 'POST', url: new URL('http://localhost/'), headers: captured, payload, nowMs: 0 });
    expect(headers.map(([name]) => name)).toEqual(captured.map(([name]) => name));
    expect(await acceptsShopify(payload, headers, secret)).toBe(true);
    expect(await acceptsShopify(payload, headers, 'hush_other')).toBe(false);
  });
});

function schemeOf(id: string) {
  const scheme = findProvider(id).signature;
  if (!scheme) throw new Error(`${id} does not sign`);
  return scheme;
}

async function acceptsShopify(payload: Buffer, headers: Headers, secret: string): Promise<boolean> {
  const shopify = shopifyApi({
    apiKey: 'key',
    apiSecretKey: secret,
    apiVersion: ApiVersion.January26,
    hostName: 'app.test',
    isEmbeddedApp: false,
    logger: { log: () => {} },
  });
  const rawRequest = { method: 'POST', url: '/hooks', headers: Object.fromEntries(headers) };
  const { valid } = await shopify.webhooks.validate({
    rawBody: payload.toString('utf8'),
    rawRequest: rawRequest as never,
    rawResponse: {} as never,
  });
  return valid;
}

function textOf(headers: Headers, name: string): string {
  return headers.find(([given]) => given.toLowerCase() === name)?.[1] ?? '';
}

/** Some libraries go on to parse the body once the signature is right: then trouble with that means that it was right. */
function verifies(verify: () => unknown): boolean {
  try {
    verify();
    return true;
  } catch (error) {
    if (error instanceof Error && /signature/i.test(`${error.name} ${error.constructor.name} ${error.message}`))
      return false;
    return error instanceof SyntaxError;
  }
}
