import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseRawHttp } from '../../../src/formats/raw-http.ts';
import { detectProvider } from '../../../src/providers/detect.ts';
import { findProvider } from '../../../src/providers/list.ts';
import { factsOf } from '../../../src/providers/locate.ts';
import { verifySignature } from '../../../src/sign/verify-signature.ts';
import { secretOf } from '../../support/secrets.ts';

const FOLDER = process.env['WEBHOOK_REPLAY_PAYLOADS'];

/** Schemes of the index by the provider that signs so. */
const PROVIDER_OF: Record<string, string> = {
  'stripe-v1': 'stripe',
  'github-sha256': 'github',
  'shopify-base64': 'shopify',
  svix: 'svix',
  'standard-webhooks': 'standard-webhooks',
};

type Entry = { readonly file: string; readonly scheme: string | null; readonly secret: string };

function entries(): readonly Entry[] {
  return FOLDER ? (JSON.parse(readFileSync(join(FOLDER, 'wire', 'index.json'), 'utf8')) as Entry[]) : [];
}

function requestIn(file: string) {
  return parseRawHttp(readFileSync(join(FOLDER ?? '', 'wire', file)));
}

const OURS = entries().filter(({ scheme }) => scheme !== null && scheme in PROVIDER_OF);
const OTHERS = entries().filter(({ scheme }) => scheme === null || !(scheme in PROVIDER_OF));

describe.skipIf(!FOLDER)('real requests (skipped without WEBHOOK_REPLAY_PAYLOADS)', () => {
  it.each(OURS)('$file comes from the sender of $scheme and is signed with its secret', ({ file, scheme, secret }) => {
    const request = requestIn(file);
    const provider = findProvider(PROVIDER_OF[scheme ?? ''] ?? '');
    expect(detectProvider(request).id).toBe(provider.id);
    if (!provider.signature) throw new Error(`${provider.id} does not sign`);
    const input = { request, scheme: provider.signature, secrets: [secretOf(secret)], nowMs: Date.now() };
    const { kind } = verifySignature(input);
    if (file.includes('bad_signature')) expect(kind).toBe('invalid');
    else expect(kind).toBe(provider.signature.timestamp ? 'stale' : 'valid');
  });

  it.each(OURS.filter(({ file }) => !/vector/.test(file)))('$file says its type and its ids', ({ file }) => {
    const facts = factsOf(requestIn(file));
    expect(facts.type).toMatch(/^[a-z_]+([./][a-z_]+)*$/);
    expect(facts.eventId).toMatch(/^\S{8,}$/);
  });

  it('keeps every digit of the 64-bit ids of Shopify', () => {
    expect(factsOf(requestIn('shopify_products_create_bigint.http')).resource).toBe('788032119674292922');
    expect(factsOf(requestIn('shopify_products_delete_bigint.http')).resource).toBe('788032119674292922');
    expect(factsOf(requestIn('quirk_numbers.http')).eventId).toBe('9007199254740993');
  });

  it('sees a pull request and a job as one thing over several events', () => {
    const resource = (file: string) => factsOf(requestIn(file)).resource;
    expect(resource('github_pull_request.opened.http')).toBe('Codertocat/Hello-World/pull_request/2');
    expect(resource('github_workflow_job.queued.http')).toMatch(/\/workflow_job\/\d+$/);
    expect(resource('github_push_form.http')).toBe('Codertocat/Hello-World/refs/tags/simple-tag');
  });

  it.each(OTHERS)('$file is taken for none of the senders it only looks like', ({ file }) => {
    expect(factsOf(requestIn(file)).provider).toBe('generic');
  });
});
