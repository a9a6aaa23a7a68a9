import { createHash, createSecretKey } from 'node:crypto';
import type { Headers } from '../model/event.ts';
import type { Secret, Sign, SignInput } from '../model/sign.ts';
import type { SignatureScheme } from '../providers/provider.ts';
import { UserError } from '../support/errors.ts';
import { headerValue } from '../support/headers.ts';
import { type Covered, headerAround, hmacOf } from './content.ts';
import { keyOf } from './key.ts';
import { type PutHeader, putHeaders } from './put-headers.ts';
import { parseTemplate, renderTemplate } from './template.ts';

export type SignerOptions = {
  readonly scheme: SignatureScheme;
  /** All sign where the scheme carries several signatures, in this order; else the first one does. */
  readonly secrets: readonly Secret[];
  /** Older schemes, renewed where a request carries their header. */
  readonly legacy?: readonly SignatureScheme[] | undefined;
};

/**
 * Signs the way a provider does, from its scheme alone. The payload goes into the HMAC as it is; old signature,
 * timestamp and id headers are replaced where they stand, all other headers stay as they are. An id that is there is
 * kept; a missing one is made from the payload, so that every attempt of the same bytes has the same.
 * A secret that does not fit the scheme is a `UserError` here, before anything is sent.
 */
export function createSigner({ scheme, secrets, legacy = [] }: SignerOptions): Sign {
  const sign = compile(scheme, secrets);
  const older = legacy.map((one) => ({ names: namesOf(one), sign: compile(one, secrets) }));
  return oncePerRequest([scheme, ...legacy], (input) => {
    const id = scheme.idHeader === undefined ? '' : idOf(scheme.idHeader, input);
    const puts = [...stamps(scheme, id, input), sign(input, id)];
    for (const { names, sign: signOlder } of older) {
      if (names.some((name) => headerValue(input.headers, name) !== undefined)) puts.push(signOlder(input, id));
    }
    return putHeaders(input.headers, puts);
  });
}

/**
 * The copies of a request that are sent within one unit of the schemes' time share their headers. Headers, payload and address
 * are told by identity: they are never changed, and comparing them would cost as much as signing.
 */
function oncePerRequest(schemes: readonly SignatureScheme[], sign: Sign): Sign {
  const units = schemes.flatMap(({ timestamp }) => (timestamp ? [timestamp.unit === 'ms' ? 1 : 1000] : []));
  const unitMs = Math.min(...units);
  const signed = new WeakMap<Headers, SignInput & { readonly unit: number; readonly result: Headers }>();
  return (input) => {
    const unit = units.length === 0 ? 0 : Math.floor(input.nowMs / unitMs);
    const last = signed.get(input.headers);
    if (
      last?.unit === unit &&
      last.payload === input.payload &&
      last.url === input.url &&
      last.method === input.method
    ) {
      return last.result;
    }
    const result = sign(input);
    signed.set(input.headers, { ...input, unit, result });
    return result;
  };
}

function compile(scheme: SignatureScheme, secrets: readonly Secret[]): (input: SignInput, id: string) => PutHeader {
  if (secrets.length === 0) {
    throw new UserError('NO_SECRET', 'There is no secret to sign with.', {
      hint: 'Pass it with --secret env:NAME (or file:PATH, cmd:COMMAND).',
    });
  }
  const keys = secrets
    .map((secret) => createSecretKey(keyOf(scheme.key, secret)))
    .slice(0, scheme.join === null ? 1 : undefined);
  const content = parseTemplate(scheme.content);
  const value = parseTemplate(scheme.value);
  const each = parseTemplate(scheme.each);
  const names = namesOf(scheme);
  return (input, id) => {
    const covered: Covered = { ...input, timestamp: timestampOf(scheme, input.nowMs), id };
    const signatures = keys.map((key) => {
      const signature = hmacOf(scheme, key, { content, covered });
      return renderTemplate(each, () => signature);
    });
    return { names, value: headerAround(signatures.join(scheme.join ?? ''), value, covered) };
  };
}

function stamps({ idHeader, timestamp, ...scheme }: SignatureScheme, id: string, input: SignInput): PutHeader[] {
  const puts: PutHeader[] = [];
  if (idHeader !== undefined) puts.push({ names: [idHeader], value: id });
  if (timestamp?.header !== undefined) {
    puts.push({ names: [timestamp.header], value: timestampOf({ ...scheme, timestamp }, input.nowMs) });
  }
  return puts;
}

function timestampOf({ timestamp }: SignatureScheme, nowMs: number): string {
  return String(timestamp?.unit === 'ms' ? Math.floor(nowMs) : Math.floor(nowMs / 1000));
}

function idOf(header: string, { headers, payload }: SignInput): string {
  return headerValue(headers, header) ?? `msg_${createHash('sha256').update(payload).digest('hex').slice(0, 24)}`;
}

function namesOf({ header, headerAliases = [] }: SignatureScheme): readonly string[] {
  return [header, ...headerAliases];
}
