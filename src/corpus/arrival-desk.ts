import { Worker } from 'node:worker_threads';
import type { ArrivalDesk } from '../model/corpus.ts';
import { UserError } from '../support/errors.ts';

export type DeskCall = {
  readonly number: number;
  readonly call: keyof ArrivalDesk | 'close';
  readonly args: readonly unknown[];
};

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
  const ask = (call: DeskCall['call'], args: readonly unknown[]): Promise<unknown> =>
    new Promise((resolve, reject) => {
      if (failure) return reject(failure);
      last += 1;
      open.set(last, { resolve, reject });
      thread.postMessage({ number: last, call, args } satisfies DeskCall);
    });
  await new Promise((resolve, reject) => open.set(OPENED, { resolve, reject }));
  return {
    receive: (...args) => ask('receive', args) as ReturnType<ArrivalDesk['receive']>,
    index: (...args) => ask('index', args) as ReturnType<ArrivalDesk['index']>,
    answered: (...args) => ask('answered', args) as ReturnType<ArrivalDesk['answered']>,
    close: async () => {
      await ask('close', []);
    },
  };
}
