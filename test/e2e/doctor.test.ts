import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { freePort } from '../../src/receiver/free-port.ts';
import { runCli } from '../support/cli.ts';
import { startReceiverProcess } from '../support/receiver.ts';
import { startRecordingReceiver } from '../support/recording-receiver.ts';
import { tempFolder } from '../support/temp-folder.ts';

type Check = { readonly name: string; readonly state: string; readonly text: string; readonly hint: string | null };

describe('doctor', () => {
  it('finds nothing wrong in an empty folder, makes nothing in it, and says what was not looked at', async () => {
    const cwd = tempFolder();
    const { states, code } = await examine([], cwd);
    expect(states).toEqual({
      node: 'ok',
      sqlite: 'ok',
      config: 'ok',
      corpus: 'ok',
      receiver: 'not checked',
      effect: 'not checked',
      secret: 'not checked',
      signature: 'not checked',
    });
    expect(code).toBe(0);
    expect(existsSync(join(cwd, '.webhook-replay'))).toBe(false);
  });

  it('sends one signed event with new ids and says that it was accepted', async () => {
    const cwd = tempFolder();
    const receiver = await startReceiverProcess(cwd, ['transaction', '--provider', 'stripe', '--secret', 'right']);
    const flags = [
      '--to',
      receiver.url,
      '--provider',
      'stripe',
      '--secret',
      'right',
      '--effect',
      `sqlite:${receiver.db}`,
    ];
    const { states, stderr, code } = await examine(flags, cwd);
    expect(states).toMatchObject({ receiver: 'ok', effect: 'ok', secret: 'ok', signature: 'ok' });
    expect(stderr).toContain('Sending one event, stripe/payment_intent.succeeded with new ids, to ');
    expect(code).toBe(0);
    expect(receiver.rows('orders')).toHaveLength(1);
    await examine(flags, cwd);
    expect(receiver.rows('orders')).toHaveLength(2);
  });

  it('says why the signature was refused, and never the secret', async () => {
    const cwd = tempFolder();
    const receiver = await startReceiverProcess(cwd, ['transaction', '--provider', 'stripe', '--secret', 'right']);
    const { checks, stdout, code } = await examine(
      ['--to', receiver.url, '--provider', 'stripe', '--secret', 'wrongSecret'],
      cwd,
    );
    const signature = checks.find(({ name }) => name === 'signature');
    expect(signature).toMatchObject({ state: 'problem' });
    expect(signature?.text).toContain('answered 401');
    expect(stdout).not.toContain('wrongSecret');
    expect(code).toBe(3);
  });

  it('sends nothing as long as no secret is given', async () => {
    const receiver = await startRecordingReceiver();
    onTestFinished(receiver.close);
    const { states } = await examine(['--to', String(receiver.port)], tempFolder());
    expect(states).toMatchObject({ receiver: 'ok', signature: 'not checked' });
    expect(receiver.requests).toEqual([]);
  });

  it.each([
    ['a closed port', 'receiver', 3, async () => ['--to', String(await freePort())], /ECONNREFUSED \(tried 127/],
    ['a host that is not here', 'receiver', 2, async () => ['--to', 'https://shop.test'], /is not on this machine/],
    ['a source that is not there', 'effect', 3, async () => ['--effect', 'sqlite:none.db'], /no file "none.db"/],
    ['a source of no kind', 'effect', 2, async () => ['--effect', 'none.db'], /what kind of source/],
    ['a secret that is not set', 'secret', 2, async () => ['--secret', 'env:NOT_SET_ANYWHERE'], /is not set/],
  ])('names %s and what to do about it', async (_title, name, exit, flags, text) => {
    const { checks, code } = await examine(await flags(), tempFolder());
    const check = checks.find((one) => one.name === name);
    expect(check).toMatchObject({ state: 'problem', text: expect.stringMatching(text), hint: expect.any(String) });
    expect(code).toBe(exit);
  });

  it('names what is wrong in the config file and looks at the rest all the same', async () => {
    const cwd = tempFolder();
    writeFileSync(join(cwd, 'webhook-replay.config.json'), '{"to": 3000}');
    const { checks, states, code } = await examine([], cwd);
    expect(states).toMatchObject({ config: 'problem', corpus: 'ok' });
    expect(checks.find(({ name }) => name === 'config')?.text).toContain('webhook-replay.config.json:1:8');
    expect(code).toBe(2);
  });

  it('works with what the config file says', async () => {
    const cwd = tempFolder();
    writeFileSync(join(cwd, 'webhook-replay.config.json'), '{"effect": "exec:echo 1"}');
    expect((await examine([], cwd)).states).toMatchObject({ effect: 'ok' });
  });

  it('names a corpus that is none', async () => {
    const cwd = tempFolder();
    writeFileSync(join(cwd, 'corpus.db'), 'not a database');
    const { states, code } = await examine(['--corpus', 'corpus.db'], cwd);
    expect(states).toMatchObject({ corpus: 'problem' });
    expect(code).toBe(2);
  });
});

async function examine(flags: readonly string[], cwd: string) {
  const { stdout, stderr, code } = await runCli(['doctor', '--json', ...flags], { cwd });
  const { checks } = JSON.parse(stdout) as { readonly checks: readonly Check[] };
  return { checks, stdout, stderr, code, states: Object.fromEntries(checks.map(({ name, state }) => [name, state])) };
}
