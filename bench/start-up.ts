import { spawnSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import { fileURLToPath } from 'node:url';
import { figuresOf, row, shown } from './figures.ts';
import type { Goal } from './goals.ts';

const RUNS = 15;
const BIN = fileURLToPath(new URL('../../bin/webhook-replay.js', import.meta.url));

/** A real command that reads its events, makes a plan and signs, up to where it would send. */
const REPLAY = [
  'replay',
  'fixture:stripe/payment_intent.succeeded',
  '--to',
  '9',
  '--secret',
  'whsec_bench',
  '--dry-run',
];

/** The whole process, from its start to its end, beside a node that does nothing. */
export async function benchStartUp(): Promise<readonly Goal[]> {
  console.log(`\nStart-up: wall time of the whole process, ${RUNS} runs each, in turn; ms`);
  const commands = [
    { name: 'node -e 0', args: ['-e', '0'] },
    { name: '--version', args: [BIN, '--version'], most: 1.3 },
    { name: '--help', args: [BIN, '--help'] },
    { name: 'replay --dry-run', args: [BIN, ...REPLAY] },
  ].map((command) => ({ ...command, times: [] as number[] }));
  for (let run = 0; run < RUNS; run++) for (const { args, times } of commands) times.push(timeOf(args));
  const bare = figuresOf(commands[0]?.times ?? []).median;
  row('', 'ms', 'of bare node');
  for (const { name, times } of commands) {
    const figures = figuresOf(times);
    row(
      name,
      shown(figures, (ms) => ms.toFixed(0)),
      (figures.median / bare).toFixed(2),
    );
  }
  return commands.flatMap(({ name, times, most }) =>
    most === undefined ? [] : [{ what: `${name}, times bare node`, value: figuresOf(times).median / bare, most }],
  );
}

function timeOf(args: readonly string[]): number {
  const startMs = performance.now();
  const { status } = spawnSync(process.execPath, args, { cwd: tmpdir(), stdio: 'ignore' });
  if (status !== 0) throw new Error(`${args.join(' ')} ended with ${status}.`);
  return performance.now() - startMs;
}
