import { execFileSync } from 'node:child_process';

/** Tests start the real program, so it is built once from what is there now. `WEBHOOK_REPLAY_BUILT=1` says it is up to date. */
export function setup(): void {
  if (process.env['WEBHOOK_REPLAY_BUILT'] === '1') return;
  execFileSync('npx', ['tsdown', '--logLevel', 'error'], { stdio: 'inherit', shell: process.platform === 'win32' });
}
