import { Worker } from 'node:worker_threads';
import type { ArrivalDesk } from '../model/corpus.ts';
import { UserError } from '../support/errors.ts';
import { headOf } from './arrival-store.ts';
import { type PackedArrivals, packArrivals } from './packed-arrivals.ts';

export type DeskCall = { readonly number: number } & (
  | { readonly call: 'receive'; readonly arrivals: PackedArrivals }
  | { readonly call: 'index'; readonly limit: number }
  /** As JSON: a text is copied at once. */
  | { readonly call: 'answered'; readonly answers: string }
  | { readonly call: 'close' }
);

type Asked<Call> = Call extends unknown ? Omit<Call, 'number'> : never;

export type DeskAnswer = {
  readonly number: number;
  readonly result?: unknown;
  readonly error?: Pick<UserError, 'code' | 'message' | 'hint' | 'exitCode'>;
};

/** The number of the answer that nobody asked for: the corpus is open. */
export const OPENED = 0;

type Open = { readonly resolve: (result: unknown) => void; readonly reject: (error: unknown) => void };

/**
 * The corpus in this file, opened in a thread of its own: a commit waits for the disk there, not here. Calls are carried out in
 * their order. Rejects with the `UserError` of the corpus, and with what ended the thread.
 */
export async function openArrivalDesk(file: string): Promise<ArrivalDesk & { readonly close: () => Promise<void> }> {
  const open = new Map<number, Open>();
  let failure: Error | undefined;
  let last = OPENED;
  // Bundled beside this file.
  const thread = new Worker(new URL('./desk-thread.js', import.meta.url), { workerData: file });
  thread.on('message', ({ number, result, error }: DeskAnswer) => {
    const call = open.get(number);
    open.delete(number);
    if (error) call?.reject(new UserError(error.code, error.message, error));
    else call?.resolve(result);
  });
  thread.on('error', (error: Error) => {
    failure = error;
    for (const { reject } of open.values()) reject(error);
    open.clear();
  });
  const ask = <Result>(call: Asked<DeskCall>, given: readonly ArrayBuffer[] = []): Promise<Result> =>
    new Promise((resolve, reject) => {
      if (failure) return reject(failure);
      last += 1;
      open.set(last, { resolve: resolve as Open['resolve'], reject });
      thread.postMessage({ ...call, number: last } satisfies DeskCall, given);
    });
  await new Promise((resolve, reject) => open.set(OPENED, { resolve, reject }));
  return {
    receive: (arrivals) => {
      const packed = packArrivals(arrivals, headOf);
      return ask({ call: 'receive', arrivals: packed }, [packed.payloads.buffer]);
    },
    index: (limit) => ask({ call: 'index', limit }),
    answered: (answers) => ask({ call: 'answered', answers: JSON.stringify(answers) }),
    close: () => ask({ call: 'close' }),
  };
}
