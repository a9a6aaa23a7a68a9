import { createHmac } from 'node:crypto';
import type { Headers } from '../model/event.ts';
import type { Secret } from '../model/sign.ts';
import type { SignatureScheme } from '../providers/provider.ts';
import { keyOf } from './key.ts';

/** A secret of the right shape that nobody has configured: derived from the right one, so that the same run forges the same. */
export function wrongSecret(scheme: SignatureScheme, secret: Secret): Secret {
  const bytes = createHmac('sha256', 'webhook-replay wrong secret').update(keyOf(scheme.key, secret)).digest();
  return { name: 'a wrong secret', fingerprint: 'none', value: inShape(scheme.key, bytes) };
}

function inShape(form: SignatureScheme['key'], bytes: Buffer): string {
  switch (form) {
    case 'base64-after-prefix':
      return `whsec_${bytes.toString('base64')}`;
    case 'base64':
      return bytes.toString('base64');
    case 'hex':
    case 'utf8':
      return bytes.toString('hex');
  }
}

/** The request without its signature; timestamp and id stay. */
export function withoutSignature(
  scheme: SignatureScheme,
  legacy: readonly SignatureScheme[],
  headers: Headers,
): Headers {
  const names = new Set(
    [scheme, ...legacy]
      .flatMap(({ header, headerAliases = [] }) => [header, ...headerAliases])
      .map((name) => name.toLowerCase()),
  );
  return headers.filter(([name]) => !names.has(name.toLowerCase()));
}

/** One byte is another than was signed: a digit where there is one (an amount, most likely), so that JSON stays JSON. */
export function tamper(payload: Uint8Array): Uint8Array {
  const bytes = Buffer.from(payload);
  const amount = /:\s*[1-8]/.exec(bytes.toString('latin1'));
  const digit = amount ? amount.index + amount[0].length - 1 : -1;
  if (digit >= 0) bytes[digit] = (bytes[digit] as number) + 1;
  else if (bytes.length > 0) bytes[bytes.length - 1] = (bytes[bytes.length - 1] as number) ^ 1;
  return bytes.length > 0 ? bytes : Buffer.from(' ');
}
