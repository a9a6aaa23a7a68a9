// Runs dependency-cruiser over src and fails when it read nothing: a blind cruiser reports no violations either.
import { spawnSync } from 'node:child_process';

const { stdout, stderr, status } = spawnSync('npx', ['depcruise', '--config', '.dependency-cruiser.cjs', 'src'], {
  encoding: 'utf8',
  shell: process.platform === 'win32',
});
process.stdout.write(stdout + stderr);
const modules = Number(/(\d+) modules/.exec(stdout)?.[1] ?? 0);
if (modules === 0) process.stderr.write('error: the folder rule read 0 modules, so it checked nothing.\n');
process.exitCode = status !== 0 || modules === 0 ? 1 : 0;
