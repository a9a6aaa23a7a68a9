import { type ChildProcess, spawn } from 'node:child_process';
import type { Clock } from '../support/clock.ts';
import { formatDuration } from '../support/duration.ts';

const MAX_BYTES = 32 * 1024 * 1024;
const TAIL = 500;

export type Command = {
  /** For the system's shell. */
  readonly command: string;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly clock: Clock;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
};

export type CommandEnd =
  | { readonly kind: 'done'; readonly stdout: string }
  /** The reason continues a sentence that starts with the command. */
  | { readonly kind: 'failed'; readonly reason: string };

/** Runs a command to its end, or ends it together with everything it started. */
export async function runCommand({ command, cwd, env, clock, timeoutMs, signal }: Command): Promise<CommandEnd> {
  // A process group of its own, so that nothing of it is left behind when it is ended.
  const child = spawn(command, {
    shell: true,
    cwd,
    env: { ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: process.platform !== 'win32',
    windowsHide: true,
  });
  let cut: string | undefined;
  const end = (reason: string) => {
    cut ??= reason;
    killGroup(child);
  };
  const output = collect(child, () => end(`printed more than ${MAX_BYTES / 1024 / 1024} MiB`));
  const over = new AbortController();
  const stop = () => end('was stopped');
  signal.addEventListener('abort', stop, { once: true });
  if (signal.aborted) stop();
  void clock.sleep(timeoutMs, over.signal).then(() => {
    if (!over.signal.aborted) end(`did not end within ${formatDuration(timeoutMs)}`);
  });
  const exit = await exitOf(child);
  over.abort();
  signal.removeEventListener('abort', stop);
  const failure = cut ?? exit;
  if (failure === undefined) return { kind: 'done', stdout: output.stdout() };
  const stderr = output.stderr().trim();
  return { kind: 'failed', reason: stderr === '' ? failure : `${failure}: ${stderr.slice(-TAIL)}` };
}

/** Why it failed, or `undefined`. Waits for the pipes too: a child in the background may still print. */
function exitOf(child: ChildProcess): Promise<string | undefined> {
  return new Promise((resolve) => {
    child.on('error', (error) => resolve(`could not be started: ${error.message}`));
    child.on('close', (code, signal) => {
      if (code === 0) resolve(undefined);
      else resolve(code === null ? `was ended by ${signal}` : `ended with exit code ${code}`);
    });
  });
}

function collect(child: ChildProcess, tooMuch: () => void) {
  const kept: Record<'stdout' | 'stderr', Buffer[]> = { stdout: [], stderr: [] };
  let bytes = 0;
  for (const name of ['stdout', 'stderr'] as const) {
    child[name]?.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > MAX_BYTES) tooMuch();
      else kept[name].push(chunk);
    });
  }
  const textOf = (name: 'stdout' | 'stderr') => () => Buffer.concat(kept[name]).toString('utf8');
  return { stdout: textOf('stdout'), stderr: textOf('stderr') };
}

function killGroup(child: ChildProcess): void {
  if (child.pid === undefined) return;
  try {
    if (process.platform !== 'win32') process.kill(-child.pid, 'SIGKILL');
    else
      spawn('taskkill', ['/pid', String(child.pid), '/T', '/F'], { stdio: 'ignore' }).on('error', () => child.kill());
  } catch {
    // It has ended by itself.
  }
}
