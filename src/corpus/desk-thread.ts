import { parentPort, workerData } from 'node:worker_threads';
import { UserError } from '../support/errors.ts';
import { type DeskAnswer, type DeskCall, OPENED } from './arrival-desk.ts';
import { openCorpus } from './open-corpus.ts';
import { unpackArrivals } from './packed-arrivals.ts';

// The other end of `openArrivalDesk`, in a thread of its own.
const corpus = openCorpus(workerData as string);

parentPort?.postMessage({ number: OPENED } satisfies DeskAnswer);
parentPort?.on('message', (call: DeskCall) => {
  parentPort?.postMessage({ number: call.number, ...outcomeOf(call) } satisfies DeskAnswer);
  if (call.call === 'close') parentPort?.close();
});

function outcomeOf(call: DeskCall): Pick<DeskAnswer, 'result' | 'error'> {
  try {
    return { result: carryOut(call) };
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    const { code, message, hint, exitCode } = error;
    return { error: { code, message, hint, exitCode } };
  }
}

function carryOut(call: DeskCall): unknown {
  switch (call.call) {
    case 'receive':
      return corpus.receiveRows(unpackArrivals(call.arrivals));
    case 'index':
      return corpus.index(call.limit);
    case 'answered':
      return corpus.answered(JSON.parse(call.answers));
    case 'close':
      return corpus.close();
  }
}
