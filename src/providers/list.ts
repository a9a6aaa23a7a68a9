import { UserError } from '../support/errors.ts';
import { nearest } from '../support/nearest.ts';
import { generic } from './generic.ts';
import { genericHmac } from './generic-hmac.ts';
import { github } from './github.ts';
import type { Provider } from './provider.ts';
import { shopify } from './shopify.ts';
import { standardWebhooks } from './standard-webhooks.ts';
import { stripe } from './stripe.ts';
import { svix } from './svix.ts';

/**
 * To add a provider: one file here, one line in this list. Detection tries them in this order, so who is more special
 * comes first (Svix may send `webhook-*` headers next to its own) and `generic` last.
 */
export const PROVIDERS: readonly Provider[] = [stripe, github, shopify, svix, standardWebhooks, genericHmac, generic];

const BY_ID: ReadonlyMap<string, Provider> = new Map(PROVIDERS.map((provider) => [provider.id, provider]));

/** @param id as users write it; case does not matter */
export function findProvider(id: string): Provider {
  const found = BY_ID.get(id) ?? BY_ID.get(id.toLowerCase());
  if (found) return found;
  const ids = PROVIDERS.map((provider) => provider.id);
  const near = nearest(id.toLowerCase(), ids);
  throw new UserError('UNKNOWN_PROVIDER', `There is no provider called "${id}".`, {
    hint: near ? `Did you mean "${near}"?` : `Choose one of: ${ids.join(', ')}.`,
  });
}
