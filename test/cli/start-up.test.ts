import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { runCli } from '../support/cli.ts';
import { tempFolder } from '../support/temp-folder.ts';

const HOOK = fileURLToPath(new URL('../support/loaded-files.mjs', import.meta.url));
const DIST = fileURLToPath(new URL('../../dist/', import.meta.url));

/** The text of everything the command loads, apart from Node's own modules. */
async function loadedBy(words: readonly string[]) {
  const cwd = tempFolder();
  const list = join(cwd, 'loaded.txt');
  const { code } = await runCli(words, { cwd, env: { NODE_OPTIONS: `--import=${HOOK}`, LOADED_FILES: list } });
  const files = readFileSync(list, 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !/^(node:|data:)/.test(line) && !line.endsWith('loaded-files.mjs'))
    .map((line) => (line.startsWith('file:') ? fileURLToPath(line) : line));
  return { code, files, text: files.map((file) => readFileSync(file, 'latin1')).join('\n') };
}

/** What only these have in them; the bundler writes each module's path before it. */
const HEAVY = {
  'the HTTP client': /UND_ERR_SOCKET/,
  'the database driver': /value: 'SqliteError'/,
  'the prompts': /#region .*@inquirer\//,
  'the tables': /#region .*\/cli-table3\//,
};

function heavyIn(text: string): readonly string[] {
  return Object.entries(HEAVY).flatMap(([name, mark]) => (mark.test(text) ? [name] : []));
}

describe('start-up', () => {
  it.each([['--version'], ['--help'], ['replay --help'], ['list --help'], ['help capture'], ['frobnicate']])(
    'loads for "%s" commander and the command definitions, and nothing heavy',
    async (line) => {
      const { files, text } = await loadedBy(line.split(' '));
      expect(files.some((file) => file.startsWith(DIST))).toBe(true);
      expect(files.length).toBeLessThan(30);
      expect(heavyIn(text)).toEqual([]);
    },
  );

  it('brings the HTTP client only for what sends', async () => {
    const dryRun = await loadedBy('replay fixture:generic/order.paid --to 3000 --dry-run'.split(' '));
    expect(heavyIn(dryRun.text)).not.toContain('the HTTP client');
    const capture = await loadedBy('capture --port 0 --exit-on-idle 1ms'.split(' '));
    expect(heavyIn(capture.text)).not.toContain('the HTTP client');
    expect([dryRun.code, capture.code]).toEqual([0, 0]);
  });

  it('would notice: a command that reads the corpus loads the database driver, one that sends the HTTP client', async () => {
    expect(heavyIn((await loadedBy(['list'])).text)).toEqual(['the database driver']);
    const send = await loadedBy(['send', 'fixture:generic/order.paid', '--to', '127.0.0.1:1']);
    expect(heavyIn(send.text)).toContain('the HTTP client');
    expect(send.code).toBe(3);
  });
});
