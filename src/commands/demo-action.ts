import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Run } from '../model/run.ts';
import type { Verdict } from '../model/verdict.ts';
import { replayRun } from '../run/replay-run.ts';
import { UserError } from '../support/errors.ts';
import { carryOut } from './carry-out.ts';
import type { Context, ExitCode, GlobalOptions } from './context.ts';
import type { DemoOptions } from './demo-flags.ts';
import { startReceiverProcess } from './demo-receiver.ts';
import { printRun } from './print-run.ts';
import { REPLAY_DEFAULTS } from './replay-flags.ts';
import { readReplayRequest } from './replay-request.ts';
import { chooseEvents } from './wire-events.ts';

type Options = DemoOptions & GlobalOptions;

const EVENT = 'fixture:stripe/payment_intent.succeeded';
/** Signs the demo's own deliveries between two processes of ours on this machine; it protects nothing. */
const TEST_SECRET = 'whsec_demo_0123456789abcdef';

/** One act: a receiver, the patterns it meets, and the verdict it must get. */
type Act = {
  readonly receiver: string;
  readonly patterns: readonly string[];
  readonly text: string;
  readonly must: Verdict;
};

/** Exit 0 only when the wrong receiver fails and the right one passes. */
export async function demo(options: Options, context: Context): Promise<ExitCode> {
  const folder = await mkdtemp(join(tmpdir(), 'webhook-replay-demo-'));
  // Databases are named as they would be in a project; the demo's project is this folder.
  const inFolder = { ...context, cwd: folder };
  const acts: readonly Act[] = [
    {
      receiver: options.wrong,
      patterns: ['duplicate'],
      must: 'fail',
      text: 'It has no guard. The provider delivers an event twice, as every provider does.',
    },
    {
      receiver: options.right,
      patterns: ['duplicate', 'concurrent:2'],
      must: 'pass',
      text: 'It keeps event id and effect in one transaction.',
    },
  ];
  try {
    const verdicts: boolean[] = [];
    for (const [index, act] of acts.entries()) {
      const runs = await play(act, { number: index + 1, folder, options, context: inFolder });
      verdicts.push(runs.every(({ verdict }) => verdict === act.must));
    }
    return conclude(verdicts, options, context);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

type Stage = { readonly number: number; readonly folder: string; readonly options: Options; readonly context: Context };

async function play(act: Act, { number, folder, options, context }: Stage): Promise<readonly Run[]> {
  const { out } = context;
  const say = (text: string) => (options.json ? context.err : out).write(text);
  const db = join(folder, `${act.receiver}.db`);
  const receiver = await startReceiverProcess(
    { name: act.receiver, db, provider: 'stripe', secret: TEST_SECRET },
    context,
  );
  try {
    say(`${out.paint.bold(`${number}. The receiver "${act.receiver}"`)}\n   ${act.text}\n\n`);
    const runs: Run[] = [];
    for (const pattern of act.patterns) {
      say(
        out.paint.cyan(
          `   $ webhook-replay replay ${EVENT} --pattern ${pattern} --to ${receiver.url} --effect shop=sqlite:${act.receiver}.db\n`,
        ),
      );
      runs.push(
        await replayOnce({ pattern, to: receiver.url, effect: `shop=sqlite:${act.receiver}.db` }, options, context),
      );
      say('\n');
    }
    return runs;
  } finally {
    await receiver.stop();
  }
}

type Once = { readonly pattern: string; readonly to: string; readonly effect: string };

async function replayOnce({ pattern, to, effect }: Once, globals: Options, context: Context): Promise<Run> {
  const options = {
    ...REPLAY_DEFAULTS,
    ...globals,
    pattern,
    to,
    effect: [effect],
    secret: [TEST_SECRET],
    given: [
      { flag: '--pattern', value: pattern },
      { flag: '--to', value: to },
      { flag: '--secret', value: TEST_SECRET },
      { flag: '--effect', value: effect },
    ],
    settle: '300ms',
    maxSkew: '1s',
  };
  const events = await chooseEvents([EVENT], { options: {}, corpus: undefined, context });
  const read = readReplayRequest({ selectors: [EVENT], events, options, context });
  const run = await carryOut(read, { events, options, context }, replayRun);
  if (!globals.json) printRun(run, options, context);
  if (run.interrupted) throw new UserError('INTERRUPTED', 'The demo was interrupted.', { exitCode: 3 });
  return run;
}

const NEXT = `Next:
  webhook-replay capture --port 4400                  record what your provider really sends
  webhook-replay replay last --to 3000 --effect ...   send it to your receiver as a duplicate
  webhook-replay send fixture:stripe/payment_intent.succeeded --to 3000 --secret env:STRIPE_SECRET
`;

function conclude(verdicts: readonly boolean[], options: Options, { out, err }: Context): ExitCode {
  const asItMust = verdicts.every(Boolean);
  if (options.json) out.json({ schema: 'webhook-replay/demo/1', ok: asItMust });
  else if (asItMust) out.write(`${NEXT}`);
  if (!asItMust)
    err.write(
      `${err.paint.red('error:')} The demo did not end as it must: "${options.wrong}" has to fail and "${options.right}" has to pass.\n`,
    );
  return asItMust ? 0 : 1;
}
