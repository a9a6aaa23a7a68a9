import type { Secret } from '../model/sign.ts';
import type { SignatureScheme } from '../providers/provider.ts';
import { UserError } from '../support/errors.ts';

type KeyForm = SignatureScheme['key'];

/** The bytes that key the HMAC. A secret whose shape the provider's own libraries refuse is a `UserError`, so that nothing is sent with it. */
export function keyOf(form: KeyForm, secret: Secret): Buffer {
  const key = deriveKey(form, secret.value);
  if (key) return key;
  throw new UserError('BAD_SECRET', `The secret "${secret.name}" (fingerprint ${secret.fingerprint}) ${fault(form)}.`, {
    hint: hintFor(form, secret.value),
  });
}

/** `undefined` when the value has not that form. */
export function deriveKey(form: KeyForm, value: string): Buffer | undefined {
  switch (form) {
    case 'utf8':
      return value === '' ? undefined : Buffer.from(value, 'utf8');
    case 'hex':
      return /^([0-9a-f]{2})+$/i.test(value) ? Buffer.from(value, 'hex') : undefined;
    case 'base64':
      return decodeBase64(value);
    case 'base64-after-prefix':
      return decodeBase64(value.startsWith('whsec_') ? value.slice('whsec_'.length) : value);
  }
}

/** Strict, as standardwebhooks and svix are: alphabet and padding must be right. */
function decodeBase64(text: string): Buffer | undefined {
  const wellFormed = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/.test(text);
  return text !== '' && wellFormed ? Buffer.from(text, 'base64') : undefined;
}

function fault(form: KeyForm): string {
  switch (form) {
    case 'utf8':
      return 'is empty';
    case 'hex':
      return 'is not hexadecimal, as this scheme needs it';
    case 'base64':
      return 'is not base64, as this scheme needs it';
    case 'base64-after-prefix':
      return 'is not "whsec_" and base64, as this scheme needs it';
  }
}

function hintFor(form: KeyForm, value: string): string {
  if (value.startsWith('whsk_')) return 'A "whsk_" key belongs to ed25519 signatures (v1a), which are not supported.';
  if (value.trim() !== value) return 'It begins or ends with white space: take that away.';
  if (form === 'base64-after-prefix')
    return 'Copy the whole secret, for example whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw.';
  return 'Copy the whole secret from where the sender shows it.';
}
