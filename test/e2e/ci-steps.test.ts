import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { XMLParser, XMLValidator } from 'fast-xml-parser';
import { describe, expect, it } from 'vitest';
import { freePort } from '../../src/receiver/free-port.ts';
import { tempFolder } from '../support/temp-folder.ts';

const BIN = fileURLToPath(new URL('../../bin/webhook-replay.js', import.meta.url));
const README = readFileSync(new URL('../../README.md', import.meta.url), 'utf8');

/** The commands of the README's job for this service, as its runner would give them to a shell. */
function stepsFor(service: 'GitHub' | 'GitLab'): readonly string[] {
  const [, job = ''] = new RegExp(`^${service}:\n\n\`\`\`yaml\n(.*?)^\`\`\``, 'ms').exec(README) ?? [];
  const commands =
    service === 'GitHub'
      ? job.matchAll(/^- run:(?: >)?(.*(?:\n {4}.*)*)/gm)
      : job.matchAll(/^ {4}- (.*(?:\n {6}.*)*)/gm);
  return [...commands].map(([, command = '']) => command.replace(/\s*\n\s*/g, ' ').trim());
}

/** A project whose `npm start` is a reference receiver. */
async function project(design: string) {
  const [folder, port] = [tempFolder(), await freePort()];
  const start = `node "${BIN}" receiver ${design} --port ${port} --db app.db --provider stripe --secret env:STRIPE_SECRET`;
  const about = { name: 'shop', version: '1.0.0', scripts: { start } };
  writeFileSync(join(folder, 'package.json'), JSON.stringify(about));
  const lock = {
    name: 'shop',
    version: '1.0.0',
    lockfileVersion: 3,
    packages: { '': { name: 'shop', version: '1.0.0' } },
  };
  writeFileSync(join(folder, 'package-lock.json'), JSON.stringify(lock));
  const run = (command: string) =>
    shell(command.replaceAll('3000', String(port)), {
      cwd: folder,
      env: {
        PATH: process.env['PATH'] ?? '',
        HOME: folder,
        STRIPE_SECRET: 'whsec_test_secret_of_this_job',
        GITHUB_ACTIONS: 'true',
        GITHUB_STEP_SUMMARY: join(folder, 'summary.md'),
      },
    });
  /** What `npm ci` makes of a project that has this tool among its packages, whose command npx then finds. */
  const install = async (command: string) => {
    const { code, text } = await run(command);
    expect(code, text).toBe(0);
    const commands = join(folder, 'node_modules', '.bin');
    mkdirSync(commands, { recursive: true });
    symlinkSync(BIN, join(commands, 'webhook-replay'));
  };
  return { folder, run, install };
}

type Where = { readonly cwd: string; readonly env: Readonly<Record<string, string>> };

async function shell(command: string, where: Where): Promise<{ readonly code: number | null; readonly text: string }> {
  const child = spawn('sh', ['-c', command], { ...where, stdio: ['ignore', 'pipe', 'pipe'] });
  let text = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (text += chunk));
  const code = await new Promise<number | null>((resolve) => child.on('close', resolve));
  return { code, text };
}

type Suites = { readonly testsuites: { readonly '@_tests': string; readonly '@_failures': string } };

function junitOf(folder: string): Suites['testsuites'] {
  const xml = readFileSync(join(folder, 'junit.xml'), 'utf8');
  expect(XMLValidator.validate(xml)).toBe(true);
  return (new XMLParser({ ignoreAttributes: false }).parse(xml) as Suites).testsuites;
}

describe.skipIf(process.platform === 'win32')("the README's job", () => {
  it('for GitHub lets a right receiver pass', { timeout: 240_000 }, async () => {
    const { folder, run, install } = await project('transaction');
    const [first, gate, ...more] = stepsFor('GitHub');
    expect([first, more]).toEqual(['npm ci', []]);
    await install(first ?? '');
    const { code, text } = await run(gate ?? '');
    expect(code, text).toBe(0);
    const junit = junitOf(folder);
    expect(Number(junit['@_tests'])).toBeGreaterThanOrEqual(20);
    expect(junit['@_failures']).toBe('0');
    expect(text).not.toMatch(/^::error/m);
    expect(readFileSync(join(folder, 'summary.md'), 'utf8')).toContain('webhook-replay test: pass');
  });

  it('for GitLab stops a broken one, and leaves the file that GitLab shows', { timeout: 240_000 }, async () => {
    const { folder, run, install } = await project('naive');
    const [first, gate, ...more] = stepsFor('GitLab');
    expect([first, more]).toEqual(['npm ci', []]);
    await install(first ?? '');
    const { code, text } = await run(gate ?? '');
    expect(code, text).toBe(1);
    expect(Number(junitOf(folder)['@_failures'])).toBeGreaterThan(0);
    expect(text).toMatch(/^ *duplicate\.sequential: /m);
    expect(existsSync(join(folder, 'summary.md'))).toBe(false);
  });
});
