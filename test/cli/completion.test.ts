import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';
import { runCli } from '../support/cli.ts';
import { tempFolder } from '../support/temp-folder.ts';

const BIN = fileURLToPath(new URL('../../bin/webhook-replay.js', import.meta.url));
const cwd = tempFolder();

beforeAll(async () => {
  writeFileSync(join(cwd, 'event.json'), '{"id":"evt_1","type":"order.paid"}');
  mkdirSync(join(cwd, 'path'));
  symlinkSync(BIN, join(cwd, 'path', 'webhook-replay'));
  chmodSync(BIN, 0o755);
  await runCli(['import', 'event.json', '--tag', 'checkout', '--corpus', 'other.db'], { cwd });
});

describe('what could come next', () => {
  it.each([
    ['rep', ['replay', 'report']],
    ['replay --pat', ['--pattern']],
    ['replay --pattern d', ['duplicate', 'delay']],
    ['replay -p d', ['duplicate', 'delay']],
    ['replay --pattern=d', ['--pattern=duplicate', '--pattern=delay']],
    ['replay --pattern duplicate+b', ['duplicate+burst']],
    ['resend --pattern bu', ['burst']],
    ['replay --provider st', ['stripe', 'standard-webhooks']],
    ['--json test --only distinct.', ['distinct.same-payload', 'distinct.concurrent']],
    ['receiver le', ['ledger', 'ledger-lease']],
    ['receiver ledger --fault check-then-act-0', ['check-then-act-0ms']],
    ['replay fixture:generic/order.p', ['fixture:generic/order.paid']],
    ['fixtures generic/order.p', ['generic/order.paid']],
    ['import --format js', ['jsonl']],
    ['test --reporter ju', ['junit']],
    ['replay --effect sq', ['sqlite:', ':nospace']],
    ['replay fix', ['fixture:', ':files', ':nospace']],
    ['help exit', ['exit-codes']],
    ['config sh', ['show']],
    ['config show rece', ['receiver']],
    ['completion f', ['fish']],
    ['import ev', [':files']],
    ['replay --corpus ', [':files']],
    ['list --corpus other.db --tag ', ['checkout']],
    ['list --corpus=other.db --type o', ['order.paid']],
    ['replay --corpus other.db @c', ['@checkout']],
    ['replay --corpus other.db type:', ['type:order.paid']],
    ['replay --to ', []],
    ['frobnicate ', undefined],
    ['replay --frob', []],
  ])('behind "%s"', async (line, expected) => {
    const { stdout, code } = await runCli(['complete', '--', ...line.split(' ')], { cwd });
    expect(code).toBe(0);
    if (expected) expect(stdout.split('\n').flatMap((one) => one.split('\t')[0] || [])).toEqual(expected);
  });

  it('offers a flag once, and again only where it may be repeated', async () => {
    const { stdout } = await runCli(['complete', '--', 'replay', '--to', '1', '--effect', 'exec:x', '--'], { cwd });
    expect(stdout).toMatch(/^--effect\t/m);
    expect(stdout).not.toMatch(/^--to\t/m);
  });

  it('takes nothing away where the corpus cannot be read or the config file is wrong', async () => {
    const broken = tempFolder();
    writeFileSync(join(broken, 'webhook-replay.config.json'), '{');
    const words = ['complete', '--', 'replay', '--corpus', 'webhook-replay.config.json', 'las'];
    expect((await runCli(words, { cwd: broken })).stdout).toBe('last\n:files\n');
  });

  it('begins a new word with --next, for shells that drop empty ones', async () => {
    const { stdout } = await runCli(['complete', '--next', '--', 'completion'], { cwd });
    expect(stdout).toBe('bash\nzsh\nfish\npwsh\n');
  });
});

describe.skipIf(!has('bash'))('in bash (needs bash)', () => {
  it.each([
    ['webhook-replay rep', ['webhook-replay', 'rep'], ['replay', 'report']],
    ['webhook-replay replay --pattern bu', ['webhook-replay', 'replay', '--pattern', 'bu'], ['burst']],
    ['webhook-replay replay --pattern=bu', ['webhook-replay', 'replay', '--pattern', '=', 'bu'], ['burst']],
    [
      'webhook-replay replay fixture:generic/order.p',
      ['webhook-replay', 'replay', 'fixture', ':', 'generic/order.p'],
      ['generic/order.paid'],
    ],
    [
      "webhook-replay replay 'fixture:generic/order.p",
      ['webhook-replay', 'replay', "'fixture:generic/order.p"],
      ['fixture:generic/order.paid'],
    ],
    ['webhook-replay completion ', ['webhook-replay', 'completion', ''], ['bash', 'zsh', 'fish', 'pwsh']],
    ['webhook-replay import ev', ['webhook-replay', 'import', 'ev'], ['event.json']],
  ])('completes "%s"', async (line, words, expected) => {
    expect(await inBash(line, words)).toEqual(expected);
  });

  it('runs nothing that stands on the line', async () => {
    const line = 'webhook-replay replay $(touch hacked) --pattern bu';
    expect(await inBash(line, line.split(' '))).toEqual(['burst']);
    expect(existsSync(join(cwd, 'hacked'))).toBe(false);
  });
});

describe.skipIf(!has('zsh'))('in zsh (needs zsh)', () => {
  it('gives a script that zsh can read', async () => {
    const script = await scriptFor('zsh');
    expect(run('zsh', ['-fn', script])).toMatchObject({ status: 0, stderr: '' });
  });
});

describe.skipIf(!has('fish'))('in fish (needs fish)', () => {
  it.each([
    ['webhook-replay replay --pattern bu', 'burst'],
    ['webhook-replay replay fixture:generic/order.p', 'fixture:generic/order.paid'],
    ['webhook-replay import ev', 'event.json'],
  ])('completes "%s"', async (line, expected) => {
    const script = await scriptFor('fish');
    const { stdout } = run('fish', ['--no-config', '-c', `source ${script}; complete -C '${line}'`]);
    expect(stdout.split('\n')[0]?.split('\t')[0]).toBe(expected);
  });
});

describe.skipIf(!has('pwsh'))('in PowerShell (needs pwsh)', () => {
  it('completes a pattern', async () => {
    const script = await scriptFor('pwsh');
    const line = 'webhook-replay replay --pattern bu';
    const ask = `(TabExpansion2 '${line}' ${line.length}).CompletionMatches.CompletionText`;
    const { stdout } = run('pwsh', ['-NoProfile', '-Command', `. ${script}; ${ask}`]);
    expect(stdout.trim()).toBe('burst');
  });
});

async function inBash(line: string, words: readonly string[]): Promise<readonly string[]> {
  const script = await scriptFor('bash');
  const quoted = words.map((word) => `'${word.replaceAll("'", `'\\''`)}'`).join(' ');
  const command = [
    `source ${script}; source ${script}`,
    `COMP_WORDS=(${quoted}); COMP_CWORD=${words.length - 1}`,
    `COMP_LINE='${line.replaceAll("'", `'\\''`)}'; COMP_POINT=${line.length}`,
    '_webhook_replay webhook-replay',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the shell fills it in
    'printf "%s\\n" "${COMPREPLY[@]}"',
  ].join('\n');
  const { stdout, stderr } = run('bash', ['--norc', '-c', command]);
  expect(stderr).toBe('');
  return stdout.split('\n').filter((reply) => reply !== '');
}

async function scriptFor(shell: string): Promise<string> {
  const { stdout } = await runCli(['completion', shell], { cwd });
  // PowerShell reads only files that end so.
  const file = join(cwd, `completion.${shell === 'pwsh' ? 'ps1' : shell}`);
  writeFileSync(file, stdout);
  return file;
}

function run(shell: string, args: readonly string[]) {
  const PATH = [join(cwd, 'path'), process.env['PATH']].join(delimiter);
  return spawnSync(shell, args, { cwd, encoding: 'utf8', env: { PATH, HOME: cwd, LANG: 'C.UTF-8' } });
}

function has(shell: string): boolean {
  return spawnSync(shell, ['--version']).status === 0;
}
