import { type ChildProcess, spawn } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { benchPacing } from './pacing.ts';
import { benchRace } from './race.ts';

/** The share of rounds in which a pair released together must meet in the smallest window. */
const LEAST_HITS = 0.9;

console.log(
  `Node ${process.version}, ${process.platform}, ${availableParallelism()} cores. Read the figures as ratios within this run.`,
);
const receiver = spawn(process.execPath, [fileURLToPath(new URL('receiver.mjs', import.meta.url))], {
  stdio: ['ignore', 'pipe', 'inherit'],
});
try {
  const url = new URL(`http://127.0.0.1:${await firstLine(receiver)}`);
  const hits = await benchRace(url);
  await benchPacing(url);
  if (hits < LEAST_HITS) {
    console.error(
      `\nerror: a released pair met in ${Math.round(hits * 100)} % of rounds; it should be ${LEAST_HITS * 100} %.`,
    );
    process.exitCode = 1;
  }
} finally {
  receiver.kill();
}

async function firstLine({ stdout }: ChildProcess): Promise<string> {
  for await (const chunk of stdout ?? []) return String(chunk).trim();
  throw new Error('The receiver ended before it listened.');
}
