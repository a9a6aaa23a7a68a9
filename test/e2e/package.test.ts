import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';
import { tempFolder } from '../support/temp-folder.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const folder = tempFolder();
const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';

describe('the package, installed from its tarball into an empty folder', () => {
  beforeAll(() => {
    const [packed] = JSON.parse(
      execFileSync(npm, ['pack', '--json', '--ignore-scripts', '--pack-destination', folder], {
        cwd: ROOT,
        encoding: 'utf8',
      }),
    ) as [{ filename: string }];
    execFileSync(
      npm,
      ['install', '--ignore-scripts', '--prefer-offline', '--no-audit', '--no-fund', join(folder, packed.filename)],
      {
        cwd: folder,
        stdio: 'pipe',
      },
    );
    // The one thing that the install scripts would have done: this project's own build of the binding, for the same Node.
    const binding = join('node_modules', 'better-sqlite3', 'build');
    mkdirSync(join(folder, binding), { recursive: true });
    cpSync(join(ROOT, binding), join(folder, binding), { recursive: true });
  }, 180_000);

  it('shows the demo and exits 0', () => {
    const output = execFileSync(join(folder, 'node_modules', '.bin', 'webhook-replay'), ['demo'], {
      cwd: folder,
      encoding: 'utf8',
    });
    expect(output).toMatch(/FAIL/);
    expect(output).toMatch(/PASS/);
  }, 60_000);

  it.each([
    ['redis://127.0.0.1:1', 'cannot be reached'],
    ['amqp://127.0.0.1:1#orders', 'cannot be reached'],
    ['nats://127.0.0.1:1#orders', 'cannot be reached'],
    ['smtp:0', 'The receiver gave no answer'],
  ])('has what %s takes', (source, said) => {
    const words = ['replay', 'fixture:generic/order.paid', '--to', '127.0.0.1:1', '--effect', source];
    const { status, stdout, stderr } = spawnSync(join(folder, 'node_modules', '.bin', 'webhook-replay'), words, {
      cwd: folder,
      encoding: 'utf8',
    });
    expect(stdout + stderr).toContain(said);
    expect(status).toBe(3);
  });

  it('brings one dependency only', () => {
    const tree = JSON.parse(execFileSync(npm, ['ls', '--json', '--depth', '1'], { cwd: folder, encoding: 'utf8' })) as {
      dependencies: Record<string, { dependencies?: Record<string, unknown> }>;
    };
    expect(Object.keys(tree.dependencies['webhook-replay']?.dependencies ?? {})).toEqual(['better-sqlite3']);
  });
});
