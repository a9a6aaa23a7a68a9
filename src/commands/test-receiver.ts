import { dirname, join } from 'node:path';
import { corpusFile } from '../corpus/corpus-file.ts';
import { parseReceiver, type Receiver, requestUrl } from '../deliver/receiver-url.ts';
import type { ReceiverControl } from '../model/receiver-control.ts';
import { type OverheardCalls, overhearCalls } from '../observe/overheard-calls.ts';
import { freePort } from '../receiver/free-port.ts';
import { asOne } from '../receiver/instances.ts';
import { readDependency } from '../receiver/intercept/dependency-address.ts';
import { type Intercepted, intercept } from '../receiver/intercept/intercept.ts';
import { openReceiverLog, type ReceiverLog } from '../receiver/receiver-log.ts';
import { type ReceiverProcess, startProcess } from '../receiver/start-process.ts';
import { UserError } from '../support/errors.ts';
import type { Context, GlobalOptions } from './context.ts';
import type { TestOptions } from './test-flags.ts';

const READY_WITHIN_MS = 60_000;

type Options = TestOptions & GlobalOptions;

/** The receiver that a command runs itself. */
export type OwnReceiver = {
  readonly control: ReceiverControl;
  /** One for each instance: scheme, host and port. */
  readonly origins: readonly string[];
  /** One for each plain HTTP dependency that we stand in front of. */
  readonly calls: readonly DependencyCalls[];
};

/** The calls of the receiver to one dependency. */
export type DependencyCalls = Pick<OverheardCalls, 'probeAs'> & {
  /** The environment variable. */
  readonly name: string;
  readonly host: string;
  readonly port: number;
};

/** With `--start`: the receiver runs while the work does, and not a moment longer. */
export async function withReceiver<T>(
  options: Options,
  context: Context,
  work: (receiver?: OwnReceiver) => Promise<T>,
): Promise<T> {
  const { start, to } = options;
  if (start === undefined) {
    refuseWithoutStart(options);
    return work();
  }
  if (to === undefined)
    throw new UserError('NO_RECEIVER', '--start needs --to.', {
      hint: 'Say where the receiver listens once it runs, for example --to 3000.',
    });
  const running = await startAll({ command: start, receiver: parseReceiver(to) }, options, context);
  try {
    return await work(running);
  } finally {
    await running.close();
  }
}

function refuseWithoutStart({ instances, intercept: names = [] }: Options): void {
  const flag = names.length > 0 ? '--intercept' : instances > 1 ? '--instances' : undefined;
  if (flag === undefined) return;
  throw new UserError('NEEDS_START', `${flag} needs --start: it changes how the receiver is started.`, {
    hint: "Give the command that starts it, for example --start 'npm start'.",
  });
}

async function startAll(
  { command, receiver }: { readonly command: string; readonly receiver: Receiver },
  options: Options,
  context: Context,
): Promise<OwnReceiver & { readonly close: () => Promise<void> }> {
  const { clock } = context;
  const processes: ReceiverProcess[] = [];
  const logs: ReceiverLog[] = [];
  const all = asOne(processes);
  const between = await interceptFor(options, context, () => void all.kill('SIGKILL'));
  const close = async () => {
    await all.close();
    await between?.close();
    for (const log of logs) log.close();
  };
  const folder = dirname(corpusFile({ cwd: context.cwd, flag: options.corpus, env: context.env }));
  const first = requestUrl(receiver, receiver.path ?? '/');
  const urls = [first];
  try {
    while (urls.length < options.instances) urls.push(onPort(first, await freePort()));
    for (const [index, url] of urls.entries()) {
      const log = openReceiverLog(join(folder, index === 0 ? 'receiver.log' : `receiver-${index + 1}.log`));
      logs.push(log);
      const port = portOf(url);
      const started = await startProcess({
        command: command.replaceAll('{port}', String(port)),
        cwd: context.cwd,
        env: { ...context.env, ...(urls.length > 1 ? { PORT: String(port) } : {}), ...between?.variables },
        log,
        url,
        ready: readyUrl(options.ready, { first, url }),
        readyWithinMs: READY_WITHIN_MS,
        clock,
        signal: context.interrupted(),
      });
      processes.push(started);
    }
  } catch (error) {
    await close();
    throw error;
  }
  return {
    control: { ...all, interception: between?.interception },
    origins: urls.map(({ origin }) => origin),
    calls: between?.calls ?? [],
    close,
  };
}

/** What stands in the URLs of dependencies must not come out of a log that is shown. */
async function interceptFor(
  { intercept: texts = [] }: Options,
  { env, clock, redactor }: Context,
  killReceiver: () => void,
): Promise<(Intercepted & { readonly calls: readonly DependencyCalls[] }) | undefined> {
  if (texts.length === 0) return undefined;
  const dependencies = texts.map((text) => readDependency(text, env));
  for (const { password } of dependencies) if (password !== undefined) redactor.register(password);
  const heard = dependencies
    .filter(({ isPlainHttp }) => isPlainHttp)
    .map(({ name, host, port }) => ({ name, host, port, ...overhearCalls() }));
  const overhear = new Map(heard.map((calls) => [calls.name, calls.overhear]));
  return { ...(await intercept({ dependencies, clock, overhear, killReceiver })), calls: heard };
}

/** `--ready` is said for the first instance; on its port the others are asked on theirs. */
function readyUrl(
  text: string | undefined,
  { first, url }: { readonly first: URL; readonly url: URL },
): URL | undefined {
  if (text === undefined) return undefined;
  const receiver = parseReceiver(text);
  const ready = requestUrl(receiver, receiver.path ?? '/');
  return portOf(ready) === portOf(first) ? onPort(ready, portOf(url)) : ready;
}

function onPort(url: URL, port: number): URL {
  const moved = new URL(url);
  moved.port = String(port);
  return moved;
}

function portOf({ port, protocol }: URL): number {
  return Number(port) || (protocol === 'https:' ? 443 : 80);
}
