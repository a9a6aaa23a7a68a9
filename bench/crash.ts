import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, watch } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { freePort } from '../src/receiver/free-port.ts';
import { resultOf, startCli } from './child.ts';
import { figuresOf, row, shown } from './figures.ts';
import type { Goal } from './goals.ts';

const RUNS = 5;
const MOST_MS = 250;
const BIN = fileURLToPath(new URL('../../bin/webhook-replay.js', import.meta.url));
const RECEIVER = [
  'receiver',
  'transaction',
  '--provider',
  'generic-hmac',
  '--secret',
  'bench-secret',
  '--db',
  'shop.db',
];

/**
 * What one kill costs beside the receiver's own start: a warming delivery, the one that is broken off, the kill, the restart, the
 * retries until it is taken. The settle behind all of them is shared, and not counted.
 */
export async function benchCrash(): Promise<readonly Goal[]> {
  console.log(`\nCrash trials: time of each kill, without settle, ${RUNS} runs; ms`);
  const folder = mkdtempSync(join(tmpdir(), 'webhook-replay-bench-'));
  try {
    const [starts, kills]: [number[], number[]] = [[], []];
    for (let run = 0; run < RUNS; run++) {
      starts.push(await startTime(folder));
      kills.push(await killTime(folder));
    }
    const own = kills.map((ms, run) => ms - (starts[run] ?? 0));
    const inMs = (ms: number) => ms.toFixed(0);
    row("the receiver's own start", shown(figuresOf(starts), inMs));
    row('a kill, with that start', shown(figuresOf(kills), inMs));
    row('a kill, without it', shown(figuresOf(own), inMs));
    return [{ what: "a crash trial beside the receiver's start, ms", value: figuresOf(own).median, most: MOST_MS }];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function startTime(folder: string): Promise<number> {
  const ready = join(folder, 'ready.txt');
  rmSync(ready, { force: true });
  const watcher = watch(folder);
  const startMs = performance.now();
  const receiver = startCli([...RECEIVER, '--port', '0', '--ready-file', ready], { cwd: folder, silent: true });
  while (!existsSync(ready)) await once(watcher, 'change');
  const tookMs = performance.now() - startMs;
  watcher.close();
  const ended = once(receiver, 'close');
  receiver.kill();
  await ended;
  return tookMs;
}

type Told = {
  readonly type: string;
  readonly attempt?: { readonly step: string; readonly times: { readonly sentMs: number; readonly doneMs: number } };
};

/** From the first warming delivery to the last answer, for each of the kills. */
async function killTime(folder: string): Promise<number> {
  const port = await freePort();
  const start = `"${process.execPath}" "${BIN}" ${RECEIVER.join(' ')} --port ${port}`;
  const words = [
    'test',
    'fixture:generic-hmac/order.paid',
    '--only',
    'retry.after-crash',
    '--start',
    start,
    '--to',
    `${port}/hooks`,
    '--settle',
    '250ms',
  ];
  const signed = ['--provider', 'generic-hmac', '--secret', 'bench-secret', '--effect', 'sqlite:shop.db'];
  await resultOf(
    startCli([...words, ...signed, '--json', '--quiet', '--reporter', 'ndjson=told.ndjson'], { cwd: folder }),
  );
  const told = readFileSync(join(folder, 'told.ndjson'), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Told);
  const attempts = told.flatMap(({ attempt }) => attempt ?? []);
  const first = attempts.findIndex(({ step }) => step === 'warm');
  const kills = attempts.filter(({ step }) => step === 'warm').length;
  const startMs = attempts[first]?.times.sentMs ?? 0;
  return ((attempts.at(-1)?.times.doneMs ?? 0) - startMs) / kills;
}
