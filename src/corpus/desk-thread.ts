import { parentPort, workerData } from 'node:worker_threads';
import { UserError } from '../support/errors.ts';
import { type DeskAnswer, type DeskCall, OPENED } from './arrival-desk.ts';
import { openCorpus } from './open-corpus.ts';

// The other end of `openArrivalDesk`, in a thread of its own.
const corpus = openCorpus(workerData as string);

parentPort?.postMessage({ number: OPENED } satisfies DeskAnswer);
parentPort?.on('message', ({ number, call, args }: DeskCall) => {
  parentPort?.postMessage({ number, ...carriedOut(call, args) } satisfies DeskAnswer);
  if (call === 'close') parentPort?.close();
});

function carriedOut(call: DeskCall['call'], args: DeskCall['args']): Pick<DeskAnswer, 'result' | 'error'> {
  try {
    return { result: (corpus[call] as (...args: readonly unknown[]) => unknown)(...args) };
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    const { code, message, hint, exitCode } = error;
    return { error: { code, message, hint, exitCode } };
  }
}
