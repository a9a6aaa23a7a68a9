import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const BUILD = fileURLToPath(new URL('../../scripts/build.js', import.meta.url));

/** Tests start the real program, so it is built once from what is there now. `WEBHOOK_REPLAY_BUILT=1` says it is up to date. */
export function setup(): void {
  if (process.env['WEBHOOK_REPLAY_BUILT'] === '1') return;
  execFileSync(process.execPath, [BUILD, '--quiet'], { stdio: 'inherit' });
}
