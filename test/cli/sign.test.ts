import { createHmac } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runCli } from '../support/cli.ts';
import { tempFolder } from '../support/temp-folder.ts';

const cwd = tempFolder();
const SECRET = 'whsec_test_secret';
const AT = ['--at', '2023-11-14T22:13:20Z'];

function cli(args: readonly string[], more: { readonly input?: string | Uint8Array } = {}) {
  return runCli(args, { cwd, env: { S: SECRET, OLD: 'old_secret' }, ...more });
}

function v1(body: string, secret = SECRET): string {
  return `v1=${createHmac('sha256', secret).update(`1700000000.${body}`).digest('hex')}`;
}

describe('sign', () => {
  it('prints header lines on standard output and who signed on standard error', async () => {
    const result = await cli(['sign', '--provider', 'stripe', '--secret', 'env:S', '--body', '{"id":"évt"}', ...AT]);
    expect(result).toEqual({
      stdout: [
        'Content-Type: application/json; charset=utf-8',
        'User-Agent: Stripe/1.0 (+https://stripe.com/docs/webhooks)',
        `Stripe-Signature: t=1700000000,${v1('{"id":"évt"}')}`,
        '',
      ].join('\n'),
      stderr: 'Signed with "env:S" (fingerprint 7a200eb8).\n',
      code: 0,
    });
  });

  it('signs the very bytes of a file and of standard input', async () => {
    const bytes = Buffer.from([0xef, 0xbb, 0xbf, 0x7b, 0x7d, 0xff, 0x0d, 0x0a]);
    writeFileSync(join(cwd, 'odd.bin'), bytes);
    const hex = createHmac('sha256', SECRET).update(bytes).digest('hex');
    const args = ['sign', '--provider', 'generic-hmac', '--secret', 'env:S'];
    expect((await cli([...args, '--body', '@odd.bin'])).stdout).toContain(`x-signature: ${hex}\n`);
    expect((await cli([...args, '--body', '-'], { input: bytes })).stdout).toContain(`x-signature: ${hex}\n`);
  });

  it('gives one JSON document with --json, and both signatures for two secrets', async () => {
    const args = ['sign', '--provider', 'stripe', '--secret', 'env:OLD', '--secret', 'env:S', '--body', '{}', ...AT];
    const document = JSON.parse((await cli([...args, '--json'])).stdout);
    expect(document).toMatchObject({ schema: 'webhook-replay/sign/1', provider: 'stripe' });
    expect(document.headers.at(-1)).toEqual(['Stripe-Signature', `t=1700000000,${v1('{}', 'old_secret')},${v1('{}')}`]);
    expect(document.secrets.map(({ name }: { name: string }) => name)).toEqual(['env:OLD', 'env:S']);
  });

  it('keeps headers whole although a short literal secret is a part of them', async () => {
    const args = ['sign', '--provider', 'generic-hmac', '--secret', 'json', '--body', '{}'];
    expect((await cli(args)).stdout).toContain('Content-Type: application/json\n');
  });

  it('takes a scheme of the user, headers and a URL', async () => {
    const scheme =
      '{"header":"X-Sig","content":"{method} {path}?{query} {header:X-App} {body}","value":"v={signature}"}';
    const url = 'https://app.test/hooks?a=1';
    const args = [
      'sign',
      '--scheme',
      scheme,
      '--secret',
      'env:S',
      '--body',
      '{}',
      '-H',
      'X-App: é',
      '-H',
      'Content-Type:',
    ];
    const hex = createHmac('sha256', SECRET).update('POST /hooks?a=1 é {}').digest('hex');
    const { stdout } = await cli([...args, '--url', url]);
    expect(stdout).toBe(`X-App: é\nX-Sig: v=${hex}\n`);
    expect(await cli(args)).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining('--url') });
  });

  it.each([
    ['nothing to sign', ['--provider', 'stripe', '--secret', 'env:S'], 'There is nothing to sign.'],
    ['no secret', ['--provider', 'stripe', '--body', '{}'], 'There is no secret.'],
    [
      'a secret that is not set',
      ['--provider', 'stripe', '--body', '{}', '--secret', 'env:NO'],
      '"env:NO" is not set.',
    ],
    [
      'a sender that does not sign',
      ['--body', '{}', '--secret', 'env:S'],
      '"generic" (Unsigned JSON with id and type)',
    ],
    ['a secret of another shape', ['--provider', 'svix', '--body', '{}', '--secret', 'whsec_-'], 'is not "whsec_" and'],
    ['a type nobody knows', ['--provider', 'github', '--body', '{}', '--secret', 'env:S'], '"X-GitHub-Event"'],
    ['an unknown sender', ['--provider', 'strip', '--body', '{}'], 'Did you mean "stripe"?'],
    [
      'a file that is not there',
      ['--provider', 'stripe', '--body', '@none', '--secret', 'env:S'],
      '"none" cannot be read',
    ],
    ['a scheme that is no JSON', ['--scheme', '{', '--body', '{}', '--secret', 'env:S'], '--scheme is not JSON'],
    [
      'a time that is none',
      ['--provider', 'stripe', '--body', '{}', '--secret', 'env:S', '--at', 'noon'],
      '"noon" is not',
    ],
  ])('ends with 2 and prints no header for %s', async (_name, args, message) => {
    const result = await cli(['sign', ...args]);
    expect(result).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining(message) });
    expect(result.stderr).not.toContain(SECRET);
  });
});

describe('verify', () => {
  const request = (body: string, signature: string) =>
    `POST /hooks HTTP/1.1\r\nHost: app.test\r\nStripe-Signature: ${signature}\r\n\r\n${body}`;

  it('takes what sign printed', async () => {
    const { stdout } = await cli(['sign', '--provider', 'svix', '--secret', 'whsec_c2VjcmV0', '--body', '{}']);
    const headers = stdout
      .trim()
      .split('\n')
      .flatMap((line) => ['-H', line]);
    const result = await cli(['verify', '--body', '{}', '--secret', 'whsec_c2VjcmV0', ...headers]);
    expect(result).toMatchObject({ code: 0, stdout: expect.stringMatching(/^valid: Signed with "literal"/) });
  });

  it('ends with 0 and names the secret that signed', async () => {
    writeFileSync(join(cwd, 'right.http'), request('{}', `t=1700000000,${v1('{}')}`));
    expect(await cli(['verify', 'right.http', '--secret', 'env:OLD', '--secret', 'env:S', ...AT])).toEqual({
      stdout: 'valid: Signed with "env:S" (fingerprint 7a200eb8).\n',
      stderr: '',
      code: 0,
    });
  });

  it('ends with 1 and tells the age of a right signature that is too old', async () => {
    const input = request('{}', `t=1700000000,${v1('{}')}`);
    const result = await cli(['verify', '-', '--secret', 'env:S', '--at', '1700000600'], { input });
    expect(result.stdout).toMatch(
      /^stale: The signature is right, but its timestamp is 10 min old; receivers allow 5 min\./,
    );
    expect(result.code).toBe(1);
  });

  it('ends with 1 and says what changed the bytes', async () => {
    const input = request('{"a": 1}\n', `t=1700000000,${v1('{"a":1}')}`);
    const result = await cli(['verify', '-', '--secret', 'env:S', '--json', ...AT], { input });
    expect(result.code).toBe(1);
    expect(JSON.parse(result.stdout)).toEqual({
      schema: 'webhook-replay/verify/1',
      provider: 'stripe',
      verdict: 'invalid',
      cause: 'body-changed',
      reason:
        'The signature is right for the body parsed and written again as compact JSON: something on the way changed the bytes.',
    });
  });

  it('checks the older signature of GitHub when there is no other', async () => {
    const sha1 = createHmac('sha1', SECRET).update('{}').digest('hex');
    const headers = ['-H', 'X-GitHub-Event: push', '-H', `X-Hub-Signature: sha1=${sha1}`];
    expect((await cli(['verify', '--body', '{}', '--secret', 'env:S', ...headers])).code).toBe(0);
  });

  it('ends with 3 when the sender signs nothing', async () => {
    const result = await cli(['verify', '--body', '{}', '--secret', 'env:S']);
    expect(result).toMatchObject({ code: 3, stdout: expect.stringMatching(/^cannot tell: "generic"/) });
  });

  it.each([
    ['neither file nor body', []],
    ['both file and body', ['right.http', '--body', '{}']],
    ['no secret', ['--provider', 'stripe', '--body', '{}']],
    ['a file that is no request', ['odd.bin', '--secret', 'env:S']],
  ])('ends with 2 for %s', async (_name, args) => {
    expect(await cli(['verify', ...args])).toMatchObject({ code: 2, stdout: '' });
  });
});

describe('providers', () => {
  it('lists one a line, and one in full with what is assumed', async () => {
    const { stdout } = await cli(['providers']);
    expect(stdout.split('\n')[0]).toMatch(/^stripe {2,}Stripe {2,}hex HMAC-SHA256 in Stripe-Signature$/);
    const stripe = (await cli(['providers', 'stripe'])).stdout;
    expect(stripe).toContain('  timeout           10 s (assumed)\n');
    expect(stripe).toContain('  event id          body /id\n');
    const svix = (await cli(['providers', 'svix'])).stdout;
    expect(svix).toContain('  retries           after 5 s, 5 min, 30 min, 2 h, 5 h, 10 h, 10 h\n');
  });

  it('gives the facts as JSON', async () => {
    const all = JSON.parse((await cli(['providers', '--json'])).stdout);
    expect(all.providers.map(({ id }: { id: string }) => id)).toContain('shopify');
    const one = JSON.parse((await cli(['providers', 'shopify', '--json'])).stdout);
    expect(one).toMatchObject({
      schema: 'webhook-replay/provider/1',
      id: 'shopify',
      retryPlan: { assumed: ['delays'] },
    });
  });

  it('ends with 2 for one it does not know', async () => {
    expect(await cli(['providers', 'svxi'])).toMatchObject({ code: 2, stderr: expect.stringContaining('"svix"') });
  });
});
