import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const BIN = fileURLToPath(new URL('../../bin/webhook-replay.js', import.meta.url));

export type CliResult = { readonly stdout: string; readonly stderr: string; readonly code: number | null };

export type CliOptions = {
  readonly cwd: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly input?: string | Uint8Array;
};

/** Runs the built program to its end in a clean environment: no terminal, no colour, only PATH. */
export async function runCli(args: readonly string[], options: CliOptions): Promise<CliResult> {
  const child = startCli(args, options);
  const stdout = collectText(child.stdout);
  const stderr = collectText(child.stderr);
  child.stdin.on('error', () => {});
  child.stdin.end(options.input ?? '');
  const code = await new Promise<number | null>((resolve) => child.on('close', resolve));
  return { stdout: await stdout, stderr: await stderr, code };
}

/** Starts the built program and leaves it running; end it by `child.kill()`. */
export function startCli(args: readonly string[], { cwd, env }: CliOptions): ChildProcessWithoutNullStreams {
  return spawn(process.execPath, [BIN, ...args], {
    cwd,
    env: { PATH: process.env['PATH'] ?? '', HOME: cwd, ...env },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
}

/** Waits until the stream has printed something that matches; fails with what it printed when it ends first. */
export function waitForOutput(stream: NodeJS.ReadableStream, pattern: RegExp): Promise<RegExpExecArray> {
  return new Promise((resolve, reject) => {
    let text = '';
    const look = (chunk: Buffer) => {
      text += chunk.toString();
      const match = pattern.exec(text);
      if (!match) return;
      stream.off('data', look);
      resolve(match);
    };
    stream.on('data', look);
    stream.on('end', () => reject(new Error(`ended without ${pattern}; it printed:\n${text}`)));
  });
}

async function collectText(stream: NodeJS.ReadableStream): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}
