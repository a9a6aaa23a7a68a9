import { spawn } from 'node:child_process';
import { waitForOutput } from './cli.ts';

/** A receiver that is none of ours: other language or framework, other habits. */
export type Foreign = { readonly name: string; readonly command: readonly string[] };

type Options = {
  readonly cwd: string;
  readonly atEnd: (end: () => Promise<void>) => void;
  readonly env?: Readonly<Record<string, string>>;
};

/** Starts a receiver that prints `{"url": ...}` when it listens, for the length of a test. */
export async function startProcess(
  { command: [program = '', ...words] }: Foreign,
  { cwd, atEnd, env = {} }: Options,
): Promise<{ readonly url: string; readonly stderr: () => string }> {
  const child = spawn(program, words, {
    cwd,
    env: { PATH: process.env['PATH'] ?? '', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let stderr = '';
  child.stderr.on('data', (chunk: Buffer) => {
    stderr += chunk.toString();
  });
  const ended = new Promise((resolve) => child.on('close', resolve));
  atEnd(async () => {
    child.kill('SIGKILL');
    await ended;
  });
  const [line] = await waitForOutput(child.stdout, /^\{.*\}\n/).catch((error: unknown) => {
    throw new Error(`The receiver ended before it was ready: ${stderr}`, { cause: error });
  });
  return { ...(JSON.parse(line) as { url: string }), stderr: () => stderr };
}
