import { executePlan } from '../deliver/execute-plan.ts';
import { requestUrl } from '../deliver/receiver-url.ts';
import { createSender } from '../deliver/sender.ts';
import type { Corpus } from '../model/corpus.ts';
import type { Observer } from '../model/effect.ts';
import type { WebhookEvent } from '../model/event.ts';
import type { Execute } from '../model/execution.ts';
import type { Listener, Run } from '../model/run.ts';
import type { ProbeSet } from '../observe/sources.ts';
import type { RunPorts, RunRequest } from '../run/ports.ts';
import { plural } from '../support/plural.ts';
import { redactDeep } from '../support/redact.ts';
import type { Context, ExitCode, GlobalOptions } from './context.ts';
import { permitHost } from './permit-host.ts';
import { redactedStore } from './redacted-store.ts';
import type { RunOptions } from './replay-flags.ts';
import type { ReadRequest } from './replay-request.ts';
import { runView, tellSettling } from './run-view.ts';
import { spread } from './spread.ts';
import { stateCommand } from './state-command.ts';
import type { OwnReceiver } from './test-receiver.ts';
import { createComposer } from './wire-compose.ts';
import { openObserver } from './wire-observer.ts';
import { wireSigning } from './wire-signing.ts';

type Wanted = {
  readonly events: readonly WebhookEvent[];
  /** Absent: the run is not kept. */
  readonly corpus?: Corpus | undefined;
  readonly options: RunOptions & GlobalOptions;
  readonly context: Context;
  /** The sources, where some of them are open because the receiver was told of them. */
  readonly probes?: ProbeSet | undefined;
  /** Absent when it runs already. */
  readonly receiver?: OwnReceiver | undefined;
  /** Hears of the run besides the view that people get. */
  readonly listen?: Listener | undefined;
};

/** A plan of so many steps is held up by us rather than by its receiver. */
const MANY = 1000;

type RunIt<R> = (request: R, ports: RunPorts) => Promise<Run>;

/** Builds the adapters, runs on them what is to be run, and closes them whatever comes. */
export async function carryOut<R extends RunRequest>(
  read: ReadRequest<R>,
  { events, corpus, options, context, probes, receiver, listen }: Wanted,
  run: RunIt<R>,
): Promise<Run> {
  const { clock } = context;
  const { signedWith, warnings, ...signing } = await wireSigning(options, events, context);
  // What is stored with the run holds no secret: by now every one of them is known.
  const request: R = { ...read.request, signedWith, stored: redactDeep(read.request.stored, context.redactor) };
  if (!options.quiet) warn([...read.warnings, ...warnings], context);
  const what = plural(events.length, 'event');
  await permitHost({ url: urlOf(read.compose), what }, options, { context });
  const observer = await openObserver({ effects: options.effect ?? [], probes, calls: receiver?.calls ?? [] }, context);
  if (!options.quiet && !probes) warn(untoldPorts(observer), context);
  const sender = createSender({ clock, connections: Math.max(options.concurrency, 1), ...read.tls });
  const execute: Execute = (plan, hooks) => {
    const send = plan.steps.length < MANY ? sender.send : sender.sendMany;
    return executePlan(plan, { ...hooks, clock, send, sendTogether: sender.sendTogether });
  };
  const { seed, nonce } = request;
  const view = runView({ events: events.length, to: request.to, seed: request.seed }, options, context);
  const tell: Listener = (progress) => {
    view.listen(progress);
    listen?.(progress);
  };
  try {
    return await run(request, {
      execute,
      compose: spread(createComposer({ ...read.compose, ...signing, clock, seed, nonce }), receiver?.origins ?? []),
      receiver: receiver?.control,
      ...statePorts({ observer: observer && tellSettling(observer, tell), options, context }),
      clock,
      listen: tell,
      store: corpus && redactedStore(corpus, context.redactor),
      signal: context.interrupted(),
    });
  } finally {
    view.close();
    await Promise.allSettled([sender.close(), observer?.close()]);
  }
}

function warn(warnings: readonly string[], { err }: Context): void {
  for (const warning of warnings) err.write(`${err.paint.yellow('warning:')} ${warning}\n`);
}

function urlOf({ receiver }: ReadRequest<RunRequest>['compose']): URL {
  return requestUrl(receiver, receiver.path ?? '/');
}

/** The receiver runs already, so it cannot be told a port that was chosen a moment ago. */
function untoldPorts(observer: Observer | undefined): readonly string[] {
  return (observer?.sources ?? []).flatMap(({ source, url }) =>
    url !== undefined && /^\w+:(?:[^,]*:)?0(?:,|$)/.test(source)
      ? [
          `"${source}" listens on ${url}, which the receiver cannot know; give it a port of its own, like ${source.replace(/\b0(?=,|$)/, '9000')}.`,
        ]
      : [],
  );
}

function statePorts({
  observer,
  options,
  context,
}: {
  readonly observer: Observer | undefined;
  readonly options: RunOptions;
  readonly context: Context;
}): Pick<RunPorts, 'observer' | 'setup' | 'reset'> {
  const { setup, reset } = options;
  return {
    observer,
    setup:
      setup === undefined
        ? undefined
        : (identities) =>
            stateCommand(
              { flag: '--setup', command: setup, input: JSON.stringify(Object.fromEntries(identities)) },
              context,
            ),
    reset:
      reset === undefined ? undefined : () => stateCommand({ flag: '--reset', command: reset, input: '' }, context),
  };
}

/** `fail` beats an interruption beats everything else. */
export function exitCodeOf({ verdict, interrupted }: Run): ExitCode {
  if (verdict === 'fail') return 1;
  if (interrupted) return 130;
  return verdict === 'pass' ? 0 : 3;
}
