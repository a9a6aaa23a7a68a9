import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runCli } from '../support/cli.ts';
import { tempFolder } from '../support/temp-folder.ts';

const PLAN = ['replay', 'fixture:generic/order.paid', '--dry-run', '--json'];

describe('settings', () => {
  it.each([
    ['the flag', ['--to', '1001'], 'http://localhost:1001'],
    ['the variable', [], 'http://localhost:1002'],
  ])('come from %s before all others', async (_title, flags, to) => {
    const cwd = project({ config: { to: '1004' }, env: 'WEBHOOK_REPLAY_TO=1003' });
    expect((await planOf([...PLAN, ...flags], cwd, { WEBHOOK_REPLAY_TO: '1002' })).to).toBe(to);
  });

  it('come from .env before the config file', async () => {
    const cwd = project({ config: { to: '1004', seed: 4 }, env: 'WEBHOOK_REPLAY_TO=1003' });
    expect(await planOf(PLAN, cwd)).toMatchObject({ to: 'http://localhost:1003', plan: { seed: 4 } });
  });

  it('of one command beat those for all in the same place', async () => {
    const cwd = project({ config: { to: '1004', commands: { replay: { to: '1005' } } } });
    expect((await planOf(PLAN, cwd)).to).toBe('http://localhost:1005');
    expect((await planOf(PLAN, cwd, { WEBHOOK_REPLAY_TO: '1002' })).to).toBe('http://localhost:1002');
  });

  it('are found from a folder further down, and paths in them count from the file', async () => {
    const cwd = project({ config: { to: '1004', event: 'event.json', commands: { list: { limit: 1 } } } });
    writeFileSync(join(cwd, 'event.json'), '{"id":"e1","type":"order.paid"}');
    const below = join(cwd, 'below');
    mkdirSync(below);
    const plan = await planOf(['replay', '--dry-run', '--json'], below);
    expect(plan.to).toBe('http://localhost:1004');
    expect(plan.events).toBe(1);
  });

  it('of the file that --config names replace those of the one beside', async () => {
    const cwd = project({ config: { to: '1004' } });
    writeFileSync(join(cwd, 'other.json'), '{"to": "1006"}');
    expect((await planOf([...PLAN, '--config', 'other.json'], cwd)).to).toBe('http://localhost:1006');
  });

  it('say which event only when the command line does not', async () => {
    const cwd = project({ config: { to: '1004', event: ['fixture:github/push', 'fixture:github/ping'] } });
    expect((await planOf(PLAN, cwd)).events).toBe(1);
  });

  it('for all commands are no filter of a command in which the word means one', async () => {
    const cwd = project({ config: { provider: 'stripe' } });
    writeFileSync(join(cwd, 'event.json'), '{"id":"e1","type":"order.paid"}');
    await runCli(['import', 'event.json', '--provider', 'generic'], { cwd });
    const { stdout } = await runCli(['list', '--json'], { cwd, env: { WEBHOOK_REPLAY_PROVIDER: 'github' } });
    expect(JSON.parse(stdout).events).toHaveLength(1);
  });

  it('switch output to JSON, errors too', async () => {
    const cwd = project({ config: { json: true } });
    const { stdout, code } = await runCli(['show', 'nowhere'], { cwd });
    expect(JSON.parse(stdout)).toMatchObject({ verdict: 'error' });
    expect(code).toBe(2);
  });

  it('that are wrong for one command stop every command that reads them', async () => {
    const cwd = project({ config: { commands: { capture: { exitOnIdle: 'soon' } } } });
    expect((await runCli(['list'], { cwd })).code).toBe(2);
    expect((await runCli(['help'], { cwd })).code).toBe(0);
  });
});

describe('secrets named by env:', () => {
  const SIGN = ['sign', '--provider', 'github', '--type', 'ping', '--body', '{}', '--json'];

  it('are read from .env', async () => {
    const cwd = project({ config: { secret: 'env:HOOK_SECRET' }, env: 'HOOK_SECRET="from .env"' });
    expect(await fingerprintOf(SIGN, cwd)).toBe(fingerprint('from .env'));
  });

  it('are read from the environment first', async () => {
    const cwd = project({ config: { secret: 'env:HOOK_SECRET' }, env: 'HOOK_SECRET=weaker' });
    expect(await fingerprintOf(SIGN, cwd, { HOOK_SECRET: 'stronger' })).toBe(fingerprint('stronger'));
  });

  it('are all that programs we start get of .env', async () => {
    const print = 'node -p "process.env.OTHER ?? process.env.HOOK_SECRET"';
    const cwd = project({
      config: { secret: [`cmd:${print}`, 'env:HOOK_SECRET'] },
      env: 'HOOK_SECRET=named\nOTHER=not',
    });
    expect(await fingerprintOf(SIGN, cwd)).toBe(fingerprint('named'));
  });
});

type Files = { readonly config?: object; readonly env?: string };

function project({ config, env }: Files): string {
  const folder = tempFolder();
  mkdirSync(join(folder, '.git'));
  if (config) writeFileSync(join(folder, 'webhook-replay.config.json'), JSON.stringify(config));
  if (env) writeFileSync(join(folder, '.env'), env);
  return folder;
}

type Env = Readonly<Record<string, string>>;

async function planOf(args: readonly string[], cwd: string, env: Env = {}) {
  const { stdout, stderr, code } = await runCli(args, { cwd, env });
  expect(stderr).not.toContain('error:');
  expect(code).toBe(0);
  return JSON.parse(stdout) as { readonly to: string; readonly events: number };
}

async function fingerprintOf(args: readonly string[], cwd: string, env: Env = {}): Promise<string> {
  const { stdout } = await runCli(args, { cwd, env });
  return JSON.parse(stdout).secrets[0].fingerprint;
}

function fingerprint(secret: string): string {
  return createHash('sha256').update(secret).digest('hex').slice(0, 8);
}
