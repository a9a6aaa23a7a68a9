import { mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { corpusFile } from '../corpus/corpus-file.ts';
import { parseReceiver, requestUrl } from '../deliver/receiver-url.ts';
import { startProcess } from '../receiver/start-process.ts';
import { UserError } from '../support/errors.ts';
import type { Context, GlobalOptions } from './context.ts';
import type { TestOptions } from './test-flags.ts';

const READY_WITHIN_MS = 60_000;

/** With `--start`: the receiver runs while the work does, and not a moment longer. */
export async function withReceiver<T>(
  options: TestOptions & GlobalOptions,
  context: Context,
  work: () => Promise<T>,
): Promise<T> {
  const { start, ready, to } = options;
  if (start === undefined) return work();
  if (to === undefined)
    throw new UserError('NO_RECEIVER', '--start needs --to.', {
      hint: 'Say where the receiver listens once it runs, for example --to 3000.',
    });
  const receiver = parseReceiver(to);
  const logFile = join(
    dirname(corpusFile({ cwd: context.cwd, flag: options.corpus, env: context.env })),
    'receiver.log',
  );
  mkdirSync(dirname(logFile), { recursive: true });
  const running = await startProcess({
    command: start,
    cwd: context.cwd,
    env: context.env,
    logFile,
    url: requestUrl(receiver, receiver.path ?? '/'),
    ready: ready === undefined ? undefined : readyUrl(ready),
    readyWithinMs: READY_WITHIN_MS,
    clock: context.clock,
    signal: context.interrupted(),
  });
  try {
    return await work();
  } finally {
    await running.stop();
  }
}

function readyUrl(text: string): URL {
  const receiver = parseReceiver(text);
  return requestUrl(receiver, receiver.path ?? '/');
}
