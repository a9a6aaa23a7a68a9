import { type ChildProcess, spawn } from 'node:child_process';

export type GroupSetup = {
  /** For the system's shell. */
  readonly command: string;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** File descriptor for its output. */
  readonly output: number;
};

/** A command with everything that it starts. */
export type ProcessGroup = {
  /** Names the group; `undefined` when it could not be started. */
  readonly id: number | undefined;
  /** To all of it, at once. What has ended already is passed over. */
  readonly signal: (signal: NodeJS.Signals) => void;
  /** When the command itself has ended. */
  readonly ended: Promise<void>;
  /** Continues a sentence that starts with the command; `undefined` while it runs. */
  readonly howEnded: () => string | undefined;
};

export function startGroup({ command, cwd, env, output }: GroupSetup): ProcessGroup {
  const child = spawn(command, {
    shell: true,
    cwd,
    env: { ...env },
    // A file and no pipe of ours: the last lines before a SIGKILL are in it.
    stdio: ['ignore', output, output],
    detached: process.platform !== 'win32',
    windowsHide: true,
  });
  let how: string | undefined;
  const ended = new Promise<void>((resolve) => {
    child.on('error', (error) => {
      how ??= `could not be started: ${error.message}`;
      resolve();
    });
    child.on('exit', (code, signal) => {
      how ??= code === null ? `was ended by ${signal}` : `ended with exit code ${code}`;
      resolve();
    });
  });
  return { id: child.pid, signal: (signal) => signalGroup(child, signal), ended, howEnded: () => how };
}

/** A shell's children do not end with it. */
function signalGroup({ pid }: ChildProcess, signal: NodeJS.Signals): void {
  if (pid === undefined) return;
  try {
    if (process.platform !== 'win32') process.kill(-pid, signal);
    else if (signal === 'SIGKILL' || signal === 'SIGTERM')
      spawn('taskkill', ['/pid', String(pid), '/T', '/F'], { stdio: 'ignore' }).on('error', () => {});
  } catch {
    // It has ended by itself.
  }
}
