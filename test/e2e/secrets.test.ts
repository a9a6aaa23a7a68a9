import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { runCli } from '../support/cli.ts';
import { startRecordingReceiver } from '../support/recording-receiver.ts';
import { tempFolder } from '../support/temp-folder.ts';

const KEY = Buffer.from('a-key-that-nobody-may-see-1234');
const LITERAL = 'a literal "secret" & more';
const SECRETS = {
  [`whsec_${KEY.toString('base64')}`]: 'standard-webhooks',
  [LITERAL]: 'generic-hmac',
  'plain-and-long-enough': 'stripe',
};

/** Every spelling in which a secret could come out. */
function spellings(secret: string): readonly string[] {
  const inner = secret.replace(/^whsec_/, '');
  return [secret, inner].flatMap((text) => {
    const bytes = Buffer.from(text);
    const base64 = bytes.toString('base64').replace(/=+$/, '');
    return [
      text,
      base64,
      bytes.toString('base64url'),
      bytes.toString('hex'),
      encodeURIComponent(text),
      JSON.stringify(text).slice(1, -1),
    ];
  });
}

function leaks(text: string, secret: string): readonly string[] {
  return spellings(secret).filter((spelling) => text.includes(spelling));
}

/** All bytes below a folder, as latin1. */
function allBytes(folder: string): string {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'latin1'))
    .join('\n');
}

/** It repeats what a receiver must not know, in its answer and in its log of rows. */
async function tellingReceiver(told: string) {
  const body = `you signed with ${told}, or ${Buffer.from(told).toString('base64')}`;
  const answer = `HTTP/1.1 401 Unauthorized\r\nX-Debug: ${encodeURIComponent(told)}\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
  const receiver = await startRecordingReceiver(() => answer);
  onTestFinished(receiver.close);
  return receiver;
}

describe('a secret', () => {
  it.each(Object.entries(SECRETS))(
    '%j never comes out, however it was given, and never reaches the corpus',
    { timeout: 120_000 },
    async (secret, provider) => {
      const cwd = tempFolder();
      writeFileSync(join(cwd, 'secret.txt'), `${secret}\n`);
      const receiver = await tellingReceiver(secret);
      const event = `fixture:${provider === 'stripe' ? 'stripe/payment_intent.succeeded' : `${provider}/order.paid`}`;
      const common = ['--to', receiver.url, '--settle-first', '100ms', '--settle', '50ms', '--verbose'];
      const env = { THE_SECRET: secret, WEBHOOK_REPLAY_SECRET: '' };
      for (const reference of [secret, 'env:THE_SECRET', 'file:secret.txt', 'cmd:cat secret.txt']) {
        for (const words of [
          ['replay', event, ...common, '--secret', reference],
          [
            'send',
            event,
            '--to',
            receiver.url,
            '--verbose',
            '--secret',
            reference,
            '-H',
            `X-Note: ${secret}`,
            '--json',
          ],
        ]) {
          const { stdout, stderr, code } = await runCli(words, { cwd, env });
          expect(code).toBe(1);
          expect(leaks(stdout + stderr, secret)).toEqual([]);
        }
      }
      const effects = ['--effect', 'log=exec:cat secret.txt', '--setup', `echo '${secret}'`];
      const observed = await runCli(['replay', event, ...common, ...effects, '--secret', 'env:THE_SECRET'], {
        cwd,
        env,
      });
      expect(observed.code).toBe(3);
      expect(leaks(observed.stdout + observed.stderr, secret)).toEqual([]);
      for (const words of [
        ['replay', event, '--to', '3000', '--pattern', secret, '--secret', 'env:THE_SECRET'],
        ['send', secret, '--to', '3000', `--secret=${secret}`, '--json'],
        ['send', event, '--to', '3000', '--provider', secret, '--secret', secret],
      ]) {
        const { stdout, stderr, code } = await runCli(words, { cwd, env });
        expect(code).toBe(2);
        expect(leaks(stdout + stderr, secret)).toEqual([]);
      }
      const stored = allBytes(join(cwd, '.webhook-replay'));
      expect(stored).toContain('env:THE_SECRET');
      expect(leaks(stored, secret)).toEqual([]);
      expect(receiver.requests.length).toBeGreaterThan(8);
    },
  );

  it('in a header that opens doors is one as well, without being declared', async () => {
    const cwd = tempFolder();
    const token = 'tok_0123456789abcdef';
    const receiver = await tellingReceiver(token);
    const words = [
      'replay',
      'fixture:generic/order.paid',
      '--to',
      receiver.url,
      '-H',
      `Authorization: Bearer ${token}`,
    ];
    const { stdout, stderr } = await runCli([...words, '--json'], { cwd });
    expect(leaks(stdout + stderr, token)).toEqual([]);
    expect(leaks(allBytes(join(cwd, '.webhook-replay')), token)).toEqual([]);
    expect(receiver.requests[0]?.headers).toContainEqual(['Authorization', `Bearer ${token}`]);
  });

  it('that looks like JSON leaves a JSON document a JSON document', async () => {
    const cwd = tempFolder();
    const receiver = await tellingReceiver('true');
    for (const secret of ['true', 'null', '"id"', 'verdict', '1234']) {
      const words = ['replay', 'fixture:stripe/payment_intent.succeeded', '--to', receiver.url, '--secret', secret];
      const { stdout } = await runCli([...words, '--seed', '12345', '--json'], { cwd });
      expect(JSON.parse(stdout)).toMatchObject({ verdict: 'fail', run: { seed: 12345 } });
    }
  });

  it('in the credentials of a URL is hidden', async () => {
    const cwd = tempFolder();
    for (const words of [
      ['replay', 'fixture:generic/order.paid', '--to', 'http://someone:pass-word@localhost:3000/'],
      ['replay', 'fixture:generic/order.paid', '--to', '3000', '--effect', 'http://someone:pass-word@localhost:1/#/x'],
      ['list', '--since', 'https://pass-word@db.test/'],
    ]) {
      const { stdout, stderr } = await runCli(words, { cwd });
      expect(stdout + stderr).not.toContain('pass-word');
      expect(stderr).not.toBe('');
    }
  });
});
