import { createSender } from '../deliver/sender.ts';
import { executePlan } from '../deliver/execute-plan.ts';
import type { Corpus } from '../model/corpus.ts';
import type { Observer } from '../model/effect.ts';
import type { WebhookEvent } from '../model/event.ts';
import type { Execute } from '../model/execution.ts';
import type { Run } from '../model/run.ts';
import { planOf, replayRun } from '../run/replay-run.ts';
import type { ReplayPorts, ReplayRequest } from '../run/ports.ts';
import type { Context, ExitCode, GlobalOptions } from './context.ts';
import { printPlan, printRun, runListener } from './print-run.ts';
import type { ReplayOptions } from './replay.ts';
import { readReplayRequest, type ReadRequest } from './replay-request.ts';
import { createComposer } from './wire-compose.ts';
import { openCorpusFor } from './wire-corpus.ts';
import { chooseEvents } from './wire-events.ts';
import { openObserver } from './wire-observer.ts';
import { wireSigning } from './wire-signing.ts';
import { stateCommand } from './state-command.ts';

type Options = ReplayOptions & GlobalOptions;

/** From flags to a request, from adapters to ports, from verdict to exit code. */
export async function replay(positional: readonly string[], options: Options, context: Context): Promise<ExitCode> {
  const selectors = [...positional, ...(options.event ?? [])];
  const corpus = openCorpusFor(context, options);
  try {
    const events = await chooseEvents(selectors, { options, corpus, context });
    const read = readReplayRequest({ selectors, events, options, context });
    if (options.dryRun) {
      printPlan(planOf(read.request), { events, request: read.request, options, context });
      return 0;
    }
    const run = await carryOut(read, { events, corpus, options, context });
    printRun(run, options, context);
    return exitCodeOf(run);
  } finally {
    corpus.close();
  }
}

type Wanted = { readonly events: readonly WebhookEvent[]; readonly corpus: Corpus; readonly options: Options; readonly context: Context };

async function carryOut(read: ReadRequest, { events, corpus, options, context }: Wanted): Promise<Run> {
  const { clock } = context;
  const signing = await wireSigning(options, events, context);
  const request: ReplayRequest = { ...read.request, signedWith: signing.signedWith };
  for (const warning of [...read.warnings, ...signing.warnings]) context.err.write(`${context.err.paint.yellow('warning:')} ${warning}\n`);
  const observer = await openObserver(options.effect ?? [], context);
  const sender = createSender({ clock, connections: Math.max(options.concurrency, 1), ...read.tls });
  const execute: Execute = (plan, hooks) => executePlan(plan, { ...hooks, clock, send: sender.send, sendTogether: sender.sendTogether });
  try {
    return await replayRun(request, {
      execute,
      compose: createComposer({ ...read.compose, signerFor: signing.signerFor, clock, seed: request.seed, nonce: request.nonce }),
      ...statePorts({ observer, options, context }),
      clock,
      listen: runListener(options, context),
      store: corpus,
      signal: context.interrupted(),
    });
  } finally {
    await Promise.allSettled([sender.close(), observer?.close()]);
  }
}

function statePorts({ observer, options, context }: { readonly observer: Observer | undefined; readonly options: Options; readonly context: Context }): Pick<ReplayPorts, 'observer' | 'setup' | 'reset'> {
  const { setup, reset } = options;
  return {
    observer,
    setup: setup === undefined ? undefined : (identities) => stateCommand({ flag: '--setup', command: setup, input: JSON.stringify(Object.fromEntries(identities)) }, context),
    reset: reset === undefined ? undefined : () => stateCommand({ flag: '--reset', command: reset, input: '' }, context),
  };
}

function exitCodeOf({ verdict, interrupted }: Run): ExitCode {
  if (verdict === 'fail') return 1;
  if (interrupted) return 130;
  return verdict === 'pass' ? 0 : 3;
}
