import type { Death, ReceiverControl } from '../model/receiver-control.ts';
import type { Clock } from '../support/clock.ts';
import { formatDuration } from '../support/duration.ts';
import { Interrupted, ReceiverLost, UserError } from '../support/errors.ts';
import { startGroupGuard } from './group-guard.ts';
import { type GroupSetup, type ProcessGroup, startGroup } from './process-group.ts';
import { accepts, isReady, type Readiness } from './readiness.ts';
import type { ReceiverLog } from './receiver-log.ts';

export type ProcessSetup = Omit<GroupSetup, 'output'> &
  Readiness & {
    readonly log: ReceiverLog;
    readonly readyWithinMs: number;
    readonly clock: Clock;
    readonly signal: AbortSignal;
  };

export type ReceiverProcess = Omit<ReceiverControl, 'interception'> & {
  /** Ends it with everything it started: asks first, insists after 5 s. */
  readonly close: () => Promise<void>;
};

const LOOK_EVERY_MS = 10;
const PATIENCE_MS = 5000;

/** A group that runs, or ran, and what we did to it. */
type Life = { readonly group: ProcessGroup; killed?: Promise<void> };

/**
 * Starts the receiver and waits until it is ready. It does not outlive this process, except on Windows after a kill of ours.
 * @throws ReceiverLost when it ends before that, or is not ready in time; nothing of it is left running
 */
export async function startProcess(setup: ProcessSetup): Promise<ReceiverProcess> {
  const { command, clock, log, signal } = setup;
  if (await accepts(setup.url)) {
    throw new UserError('PORT_IN_USE', `Something listens on ${setup.url.host} already, before --start "${command}".`, {
      hint: 'Stop it, so that what is tested is what was started; or leave --start out.',
    });
  }
  const guard = startGroupGuard();
  let life: Life | undefined;
  const start = async () => {
    log.begin(`started ${command}`);
    const group = startGroup({ ...setup, output: log.descriptor });
    guard.watch(group.id);
    life = { group };
    const trouble = await untilReady(group, setup);
    if (trouble === undefined) return;
    await kill('SIGKILL');
    throw notReady(trouble, setup);
  };
  const kill = async (how: 'SIGKILL' | 'SIGTERM') => {
    if (!life) return;
    const { group } = life;
    life.killed ??= endGroup(group, how, setup);
    await life.killed;
    if (life?.group === group) {
      life = undefined;
      guard.watch(undefined);
    }
  };
  const process: ReceiverProcess = {
    kill,
    restart: async () => {
      await kill('SIGKILL');
      if (!signal.aborted) await start();
    },
    stop: () => life?.group.signal('SIGSTOP'),
    continue: () => life?.group.signal('SIGCONT'),
    death: () => deathOf(life, log),
    close: async () => {
      await kill('SIGTERM');
      guard.close();
    },
  };
  try {
    await start();
    if (signal.aborted) throw new Interrupted('Interrupted before the receiver was ready.');
  } catch (error) {
    await process.close();
    throw error;
  }
  return process;

  /** Why it is not ready; `undefined` when it is, or when nobody waits any more. */
  async function untilReady(group: ProcessGroup, { readyWithinMs }: ProcessSetup): Promise<string | undefined> {
    const untilMs = clock.now() + readyWithinMs;
    while (!signal.aborted && clock.now() < untilMs && group.howEnded() === undefined) {
      if (await isReady(setup)) return undefined;
      await clock.sleep(LOOK_EVERY_MS, signal);
    }
    if (signal.aborted) return undefined;
    return group.howEnded() ?? `was not ready within ${formatDuration(readyWithinMs)}`;
  }
}

/** The first signal goes out at once. Done when the command has ended and nothing listens in its place. */
async function endGroup(
  group: ProcessGroup,
  how: 'SIGKILL' | 'SIGTERM',
  { url, clock }: Pick<ProcessSetup, 'url' | 'clock'>,
): Promise<void> {
  group.signal(how);
  if (how === 'SIGTERM') {
    group.signal('SIGCONT');
    const over = new AbortController();
    await Promise.race([group.ended.then(() => over.abort()), clock.sleep(PATIENCE_MS, over.signal)]);
    // What it started may have stayed behind.
    group.signal('SIGKILL');
  }
  await group.ended;
  const untilMs = clock.now() + PATIENCE_MS;
  while (clock.now() < untilMs && (await accepts(url))) await clock.sleep(LOOK_EVERY_MS);
}

function deathOf(life: Life | undefined, log: ReceiverLog): Death | undefined {
  if (!life || life.killed !== undefined) return undefined;
  const how = life.group.howEnded();
  return how === undefined ? undefined : { how, lastLines: log.lastLines() };
}

function notReady(how: string, { command, log }: ProcessSetup): ReceiverLost {
  return new ReceiverLost(`--start "${command}" ${how}.\n${log.lastLines().join('\n')}`.trimEnd(), {
    hint: `All of its output is in ${log.file}. --ready URL says where to look for it.`,
  });
}
