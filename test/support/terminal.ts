import { spawn, spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';
import { waitForOutput } from './cli.ts';

const BIN = fileURLToPath(new URL('../../bin/webhook-replay.js', import.meta.url));

/** util-linux's `script` gives a program a terminal of its own and passes its exit code on; the BSD one has other flags. */
export const HAS_TERMINAL = /util-linux/.test(spawnSync('script', ['--version'], { encoding: 'utf8' }).stdout ?? '');

export type TerminalOptions = {
  readonly cwd: string;
  readonly columns?: number;
  readonly env?: Readonly<Record<string, string>>;
};

export type Terminal = {
  /** All that came on the screen so far, escape codes included. */
  readonly screen: () => string;
  /** Resolves once the pattern has appeared. */
  readonly shows: (pattern: RegExp) => Promise<unknown>;
  readonly type: (keys: string) => void;
  readonly exit: Promise<number | null>;
};

export const CTRL_C = '\u0003';

/** Starts the built program in a terminal of its own, with nothing of this process's environment but PATH. */
export function startInTerminal(words: readonly string[], { cwd, columns = 80, env }: TerminalOptions): Terminal {
  const quoted = [process.execPath, BIN, ...words].map((word) => `'${word.replace(/'/g, `'\\''`)}'`).join(' ');
  const child = spawn('script', ['-qec', `stty cols ${columns} rows 40; exec ${quoted}`, '/dev/null'], {
    cwd,
    env: {
      PATH: process.env['PATH'] ?? '',
      HOME: cwd,
      SHELL: '/bin/sh',
      TERM: 'xterm-256color',
      LANG: 'C.UTF-8',
      ...env,
    },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  let text = '';
  child.stdout.on('data', (chunk: Buffer) => {
    text += chunk.toString();
  });
  const exit = new Promise<number | null>((resolve) => child.on('close', resolve));
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await exit;
  });
  return {
    screen: () => text,
    shows: async (pattern) => (pattern.test(text) ? undefined : waitForOutput(child.stdout, pattern)),
    type: (keys) => void child.stdin.write(keys),
    exit,
  };
}

export function hasColour(screen: string): boolean {
  return screen !== plainColours(screen);
}

function plainColours(screen: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: escape codes are what is taken out
  return screen.replace(/\u001b\[[\d;]*m/g, '');
}

/** Without colours, cursor movements and carriage returns. */
export function plain(screen: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: escape codes are what is taken out
  return screen.replace(/\u001b\[[0-9;?]*[A-Za-z]/g, '').replace(/\r/g, '');
}
