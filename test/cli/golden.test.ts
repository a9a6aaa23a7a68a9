import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import Database from 'better-sqlite3';
import { afterAll, describe, expect, it } from 'vitest';
import { runCli } from '../support/cli.ts';
import { splitCommandLine } from '../support/command-line.ts';

const FOLDER = fileURLToPath(new URL('golden', import.meta.url));
const work = mkdtempSync(join(tmpdir(), 'golden-'));

/** `WEBHOOK_REPLAY_BLESS=1` writes down what is printed now, for a person to read before it is committed. */
const isBlessing = process.env['WEBHOOK_REPLAY_BLESS'] === '1';

/** Files that cannot lie in the repository as text. */
const PREPARE: Readonly<Record<string, (cwd: string) => void>> = {
  'corpus-newer': (cwd) =>
    database(
      join(cwd, 'corpus.db'),
      'CREATE TABLE event (id TEXT); PRAGMA application_id = 0x57485270; PRAGMA user_version = 9999',
    ),
  'corpus-foreign': (cwd) => database(join(cwd, 'corpus.db'), 'CREATE TABLE invoices (id TEXT PRIMARY KEY)'),
};

/**
 * One folder is one case: `args` (a command line a line, run one after the other), `stdout` and `stderr` of all of them,
 * `exit` (a code a line); `files/` is what lies in the working folder, `env` has a `NAME=value` a line, `stdin` is what
 * the last command reads. `~~~` stands for anything within a line.
 */
describe('what the user sees', () => {
  afterAll(() => rmSync(work, { recursive: true, force: true }));

  it.each(readdirSync(FOLDER))('%s', async (name) => {
    const path = (file: string) => join(FOLDER, name, file);
    const part = (file: string) => (existsSync(path(file)) ? readFileSync(path(file), 'utf8') : '');
    const cwd = mkdtempSync(join(work, 'case-'));
    mkdirSync(join(cwd, '.webhook-replay'));
    if (existsSync(path('files'))) cpSync(path('files'), cwd, { recursive: true });
    PREPARE[name]?.(cwd);
    const env = Object.fromEntries(linesOf(part('env')).map((line) => line.split(/=(.*)/s)));
    const seen = await runAll(linesOf(part('args')), { cwd, env, input: part('stdin') });
    if (isBlessing) {
      for (const [file, text] of Object.entries(seen)) writeFileSync(path(file), timeless(text, cwd));
    }
    expect(seen.stderr).toMatch(asPattern(part('stderr')));
    expect(seen.stdout).toMatch(asPattern(part('stdout')));
    expect(seen.exit).toBe(part('exit'));
  });
});

type Setting = { readonly cwd: string; readonly env: Readonly<Record<string, string>>; readonly input: string };

async function runAll(lines: readonly string[], { cwd, env, input }: Setting) {
  let [stdout, stderr, exit] = ['', '', ''];
  for (const [at, line] of lines.entries()) {
    const ran = await runCli(splitCommandLine(line), { cwd, env, input: at === lines.length - 1 ? input : '' });
    stdout += ran.stdout;
    stderr += ran.stderr;
    exit += `${ran.code}\n`;
  }
  return { stdout, stderr, exit };
}

function linesOf(text: string): readonly string[] {
  return text.split('\n').filter((line) => line !== '');
}

function asPattern(text: string): RegExp {
  const literal = (piece: string) => piece.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  return new RegExp(`^${text.split('~~~').map(literal).join('[^\\n]*?')}$`);
}

/** What differs from run to run. */
function timeless(text: string, cwd: string): string {
  return (
    text
      .replaceAll(cwd, '~~~')
      .replace(/(attempts? . )[\d.]+ \w+/g, '$1~~~')
      .replace(/\brun [A-Za-z0-9]{6}\b/g, 'run ~~~')
      .replace(/\(\d+ days ago\)/g, '(~~~)')
      .replace(/this one knows \d+/g, 'this one knows ~~~')
      // The id of what was imported without one; those of the fixtures have a dash.
      .replace(/^[A-Za-z0-9]{6}(?=\tgeneric\t)/gm, '~~~')
  );
}

function database(file: string, sql: string): void {
  const db = new Database(file);
  db.exec(sql);
  db.close();
}
