import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { runCli } from '../support/cli.ts';

const FOLDER = fileURLToPath(new URL('golden', import.meta.url));
const work = mkdtempSync(join(tmpdir(), 'golden-'));

/**
 * One folder is one case: `args` (a word a line), `stdout`, `stderr`, `exit`; `files/` is what lies in the working folder,
 * `stdin` what comes in. `~~~` stands for anything within a line.
 */
describe('what the user sees', () => {
  afterAll(() => rmSync(work, { recursive: true, force: true }));

  it.each(readdirSync(FOLDER))('%s', async (name) => {
    const part = (file: string) => readFileSync(join(FOLDER, name, file), 'utf8');
    const has = (file: string) => existsSync(join(FOLDER, name, file));
    const cwd = mkdtempSync(join(work, 'case-'));
    if (has('files')) cpSync(join(FOLDER, name, 'files'), cwd, { recursive: true });
    const args = part('args')
      .split('\n')
      .filter((word) => word !== '');
    const { stdout, stderr, code } = await runCli(args, { cwd, input: has('stdin') ? part('stdin') : '' });
    expect(stderr).toMatch(asPattern(part('stderr')));
    expect(stdout).toMatch(asPattern(part('stdout')));
    expect(code).toBe(Number(part('exit')));
  });
});

function asPattern(text: string): RegExp {
  const literal = (piece: string) => piece.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  return new RegExp(`^${text.split('~~~').map(literal).join('[^\\n]*?')}$`);
}
