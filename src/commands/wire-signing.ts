import { readSecret } from '../config/secrets.ts';
import type { WebhookEvent } from '../model/event.ts';
import type { Forgery } from '../model/plan.ts';
import type { Secret, Sign, SignInput } from '../model/sign.ts';
import { findProvider } from '../providers/list.ts';
import type { Provider, SignatureScheme } from '../providers/provider.ts';
import { createSigner } from '../sign/create-signer.ts';
import { tamper, withoutSignature, wrongSecret } from '../sign/forge.ts';
import { readSignature } from '../sign/read-signature.ts';
import type { Context } from './context.ts';
import type { DeliveryOptions } from './delivery-options.ts';
import { ownScheme } from './signature-options.ts';

/** How the events of one command are signed. */
export type Signing = {
  /** `undefined`: these go out with the headers they have. */
  readonly signerFor: (provider: string) => Sign | undefined;
  readonly forge: Forge;
  /** For messages: names and fingerprints, never values. */
  readonly signedWith?: string | undefined;
  /** What the user should know before anything is sent. */
  readonly warnings: readonly string[];
};

/** A request that a receiver must not trust. Only for providers that have a signer. */
export type Forge = (
  forgery: Forgery,
  provider: string,
) => (input: SignInput) => Pick<SignInput, 'headers' | 'payload'>;

/** Secrets are read and tried here, before anything is sent: one that does not fit is a `UserError`. */
export async function wireSigning(
  options: DeliveryOptions,
  events: readonly WebhookEvent[],
  context: Context,
): Promise<Signing> {
  const providers = new Map(events.map(({ provider }) => [provider, findProvider(provider)]));
  const own = options.scheme === undefined ? undefined : ownScheme(options.scheme, context);
  if (options.keepSignatures)
    return { signerFor: () => undefined, forge: noForgeries, warnings: staleWarnings(events, providers, context) };
  const secrets: Secret[] = [];
  for (const reference of options.secret ?? []) secrets.push(await readSecret(reference, context));
  const signers = new Map<string, Sign | undefined>();
  for (const [id, provider] of providers) signers.set(id, signerOf(own ?? provider.signature, provider, secrets));
  return {
    signerFor: (provider) => signers.get(provider),
    forge: createForge(providers, secrets, own),
    signedWith: secrets.length > 0 ? secrets.map(nameOf).join(' and ') : undefined,
    warnings: secrets.length > 0 ? uselessSecret(signers) : missingSecret([...providers.values()], own),
  };
}

/** `env:STRIPE_SECRET (fingerprint 1a2b3c4d)`. */
function nameOf({ name, fingerprint }: Secret): string {
  return `${name === 'literal' ? 'the secret of the command line' : name} (fingerprint ${fingerprint})`;
}

function signerOf(
  scheme: SignatureScheme | undefined,
  provider: Provider,
  secrets: readonly Secret[],
): Sign | undefined {
  if (!scheme || secrets.length === 0) return undefined;
  return createSigner({
    scheme,
    secrets,
    legacy: scheme === provider.signature ? provider.legacySignatures : undefined,
  });
}

function noForgeries(): never {
  throw new Error('A plan asks for a forgery where nothing is signed.');
}

/** Much older than any tolerance, and not so old that it looks like another unit. */
const STALE_MS = 24 * 3_600_000;

function createForge(
  providers: ReadonlyMap<string, Provider>,
  secrets: readonly Secret[],
  own: SignatureScheme | undefined,
): Forge {
  return (forgery, id) => {
    const provider = providers.get(id);
    const scheme = own ?? provider?.signature;
    const sign = provider && signerOf(scheme, provider, secrets);
    if (!provider || !scheme || !sign) return noForgeries();
    switch (forgery) {
      case 'missing':
        return ({ headers, payload }) => ({
          headers: withoutSignature(scheme, provider.legacySignatures ?? [], headers),
          payload,
        });
      case 'wrong-secret': {
        const wrong =
          signerOf(
            scheme,
            provider,
            secrets.map((secret) => wrongSecret(scheme, secret)),
          ) ?? sign;
        return (input) => ({ headers: wrong(input), payload: input.payload });
      }
      case 'tampered':
        return (input) => ({ headers: sign(input), payload: tamper(input.payload) });
      case 'stale':
        return (input) => ({ headers: sign({ ...input, nowMs: input.nowMs - STALE_MS }), payload: input.payload });
    }
  };
}

function missingSecret(providers: readonly Provider[], own: SignatureScheme | undefined): readonly string[] {
  const signed = own ? ['your scheme'] : providers.filter(({ signature }) => signature).map(({ id }) => id);
  return signed.length === 0
    ? []
    : [
        `Events of ${signed.join(' and ')} are signed, and no --secret was given: a receiver that checks signatures takes them only if the captured one still fits.`,
      ];
}

function uselessSecret(signers: ReadonlyMap<string, Sign | undefined>): readonly string[] {
  const unsigned = [...signers].filter(([, signer]) => !signer).map(([id]) => id);
  return unsigned.length === 0
    ? []
    : [
        `Events of ${unsigned.join(', ')} carry no signature; --secret is not used for them. Name the sender with --provider, or the scheme with --scheme.`,
      ];
}

/** A captured timestamp ages; a receiver that checks it will refuse the old signature, and rightly so. */
function staleWarnings(
  events: readonly WebhookEvent[],
  providers: ReadonlyMap<string, Provider>,
  { clock }: Context,
): readonly string[] {
  const stale = events.filter((event) => {
    const scheme = providers.get(event.provider)?.signature;
    if (!scheme?.timestamp) return false;
    const carried = readSignature(scheme, event.headers);
    if (carried.kind === 'not-carried') return false;
    const seconds = Number(carried.timestamp) / (scheme.timestamp.unit === 'ms' ? 1000 : 1);
    return clock.epochMs() / 1000 - seconds > scheme.timestamp.toleranceSeconds;
  });
  const [first] = stale;
  if (!first) return [];
  return [
    `--keep-signatures: ${stale.length} of ${events.length} captured timestamps are older than the sender's tolerance (${first.eventId ?? first.id} is the first); a receiver that checks them refuses the delivery.`,
  ];
}
