import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

/** Another program of this folder, in a process of its own. */
export function startChild(name: string, ...args: readonly string[]): ChildProcess {
  const file = fileURLToPath(new URL(`${name}.mjs`, import.meta.url));
  return spawn(process.execPath, [file, ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
}

/** Runs with a server that prints its port first, and ends it whatever happens. */
export async function withServer<T>(server: ChildProcess, work: (url: URL) => Promise<T>): Promise<T> {
  try {
    return await work(new URL(`http://127.0.0.1:${await firstLine(server)}`));
  } finally {
    server.kill();
  }
}

async function firstLine({ stdout }: ChildProcess): Promise<string> {
  for await (const chunk of stdout ?? []) return String(chunk).trim();
  throw new Error('The server ended before it listened.');
}

/** What the program prints, as JSON. Throws when it ends with another code than 0. */
export async function resultOf<T>(child: ChildProcess): Promise<T> {
  let text = '';
  child.stdout?.on('data', (chunk) => {
    text += chunk;
  });
  const [code] = (await once(child, 'close')) as [number | null];
  if (code !== 0) throw new Error(`${child.spawnargs.join(' ')} ended with ${code}.`);
  return JSON.parse(text) as T;
}

type CliOptions = {
  readonly cwd: string;
  /** Gets its greatest resident size, in KB. */
  readonly maxRssFile?: string;
  /** What it tells people goes nowhere. */
  readonly silent?: boolean;
};

/** The command itself, as it is shipped. */
export function startCli(args: readonly string[], { cwd, maxRssFile, silent = false }: CliOptions) {
  const bin = fileURLToPath(new URL('../../bin/webhook-replay.js', import.meta.url));
  const rss = fileURLToPath(new URL('max-rss.mjs', import.meta.url));
  return spawn(process.execPath, [...(maxRssFile ? ['--import', rss] : []), bin, ...args], {
    cwd,
    env: { ...process.env, NO_COLOR: '1', BENCH_MAX_RSS: maxRssFile ?? '' },
    stdio: ['ignore', 'pipe', silent ? 'ignore' : 'inherit'],
  });
}
