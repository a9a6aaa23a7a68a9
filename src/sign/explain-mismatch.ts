import type { InvalidCause, Secret } from '../model/sign.ts';
import type { SignatureScheme } from '../providers/provider.ts';
import { bodyVariants } from './body-variants.ts';
import { type Covered, hmacOf } from './content.ts';
import { deriveKey } from './key.ts';
import type { Carried } from './read-signature.ts';
import { parseTemplate, type Template } from './template.ts';

export type Mismatch = {
  readonly scheme: SignatureScheme;
  readonly secrets: readonly Secret[];
  readonly carried: Carried;
  readonly covered: readonly Covered[];
};

export type Explanation = { readonly cause: InvalidCause; readonly reason: string };

/** Changes one thing at a time (encoding, key, bytes, template, algorithm) until the signature matches, and says which it was. */
export function explainMismatch(mismatch: Mismatch): Explanation {
  return (
    otherCase(mismatch) ??
    otherEncoding(mismatch) ??
    otherKey(mismatch) ??
    otherBytes(mismatch) ??
    otherContent(mismatch) ??
    otherAlgorithm(mismatch) ??
    nothingMatches(mismatch)
  );
}

type Try = {
  readonly scheme?: SignatureScheme;
  readonly content?: Template;
  readonly payload?: Uint8Array;
  /** Keys by the secret they come from. */
  readonly keyOf?: (secret: Secret) => Buffer | undefined;
  readonly signatures?: readonly string[];
};

/** The secret with which the changed thing matches. These comparisons decide nothing, so their time may tell. */
function matchWith(mismatch: Mismatch, change: Try): Secret | undefined {
  const scheme = change.scheme ?? mismatch.scheme;
  const content = change.content ?? parseTemplate(scheme.content);
  const signatures = change.signatures ?? mismatch.carried.signatures;
  return mismatch.secrets.find((secret) => {
    const key = change.keyOf ? change.keyOf(secret) : deriveKey(scheme.key, secret.value);
    return mismatch.covered.some((covered) => {
      const bytes = { ...covered, payload: change.payload ?? covered.payload };
      return key !== undefined && signatures.includes(hmacOf(scheme, key, { content, covered: bytes }));
    });
  });
}

function otherCase(mismatch: Mismatch): Explanation | undefined {
  if (mismatch.scheme.encoding !== 'hex') return undefined;
  const signatures = mismatch.carried.signatures.map((signature) => signature.toLowerCase());
  if (!matchWith(mismatch, { signatures })) return undefined;
  return {
    cause: 'other-scheme',
    reason: 'The signature is right but in capital letters; receivers compare small ones.',
  };
}

function otherEncoding(mismatch: Mismatch): Explanation | undefined {
  const found = (['hex', 'base64', 'base64url'] as const).find((encoding) =>
    matchWith(mismatch, { scheme: { ...mismatch.scheme, encoding } }),
  );
  if (!found) return undefined;
  const reason = `The signature is right but written in ${found}, where ${mismatch.scheme.encoding} is expected.`;
  return { cause: 'other-scheme', reason };
}

const KEY_FORMS: ReadonlyArray<{ readonly form: SignatureScheme['key']; readonly words: string }> = [
  { form: 'utf8', words: 'taken as text' },
  { form: 'base64', words: 'decoded as base64' },
  { form: 'base64-after-prefix', words: 'decoded as base64 behind its prefix' },
  { form: 'hex', words: 'decoded as hexadecimal' },
];

function otherKey(mismatch: Mismatch): Explanation | undefined {
  for (const { form, words } of KEY_FORMS) {
    const secret = matchWith(mismatch, { keyOf: ({ value }) => deriveKey(form, value) });
    if (secret) return secretForm(secret, words);
  }
  const withoutPrefix = matchWith(mismatch, { keyOf: ({ value }) => Buffer.from(value.replace(/^[a-z]+_/i, '')) });
  if (withoutPrefix) return secretForm(withoutPrefix, 'taken as text without its prefix');
  for (const [change, words] of SPACES) {
    const secret = matchWith(mismatch, { keyOf: ({ value }) => deriveKey(mismatch.scheme.key, change(value)) });
    if (secret) return secretForm(secret, words);
  }
  return undefined;
}

const SPACES: ReadonlyArray<readonly [(value: string) => string, string]> = [
  [(value) => value.trim(), 'freed of the white space around it'],
  [(value) => `${value}\n`, 'given a line break at its end, as when a file is read whole'],
];

function secretForm({ name }: Secret, words: string): Explanation {
  return { cause: 'secret-form', reason: `The signature matches when the secret "${name}" is ${words}.` };
}

/** Beyond it, trying every variant would take longer than the answer is worth. */
const MOST_BYTES = 4 * 1024 * 1024;

function otherBytes(mismatch: Mismatch): Explanation | undefined {
  const payload = mismatch.covered[0]?.payload;
  if (!payload || payload.length > MOST_BYTES) return undefined;
  for (const { bytes, words } of bodyVariants(payload)) {
    if (!matchWith(mismatch, { payload: bytes })) continue;
    return {
      cause: 'body-changed',
      reason: `The signature is right for ${words}: something on the way changed the bytes.`,
    };
  }
  return undefined;
}

const CONTENTS = ['{body}', '{timestamp}.{body}', '{timestamp}{body}', '{timestamp}:{body}', '{id}.{timestamp}.{body}'];

function otherContent(mismatch: Mismatch): Explanation | undefined {
  const found = CONTENTS.find((content) => matchWith(mismatch, { content: parseTemplate(content) }));
  if (!found) return undefined;
  const reason = `The signature covers "${found}", where "${mismatch.scheme.content}" is expected.`;
  return { cause: 'other-scheme', reason };
}

function otherAlgorithm(mismatch: Mismatch): Explanation | undefined {
  const found = (['sha1', 'sha256', 'sha384', 'sha512'] as const).find((algorithm) =>
    matchWith(mismatch, { scheme: { ...mismatch.scheme, algorithm } }),
  );
  if (!found) return undefined;
  const reason = `The signature is an HMAC with ${found}, where ${mismatch.scheme.algorithm} is expected.`;
  return { cause: 'other-scheme', reason };
}

function nothingMatches({ secrets }: Mismatch): Explanation {
  const names = secrets.map(({ name, fingerprint }) => `"${name}" (fingerprint ${fingerprint})`).join(', ');
  return {
    cause: 'no-match',
    reason: `The signature matches none of the secrets given: ${names}. Another secret signed it, or the bytes were changed.`,
  };
}
