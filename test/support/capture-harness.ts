import { createHash } from 'node:crypto';
import type { Forward } from '../../src/capture/forward.ts';
import type { AnswerPolicy } from '../../src/capture/handle-delivery.ts';
import type { CaptureProgress } from '../../src/capture/progress.ts';
import { type Capture, type CaptureRequest, startCapture } from '../../src/capture/start-capture.ts';
import type { Outcome, OutgoingRequest, SendOptions } from '../../src/model/attempt.ts';
import type { Arrival } from '../../src/model/corpus.ts';
import type { CapturedAnswer } from '../../src/model/event.ts';
import { systemClock } from '../../src/support/clock.ts';

export type Harness = {
  readonly capture: Capture;
  readonly stored: Arrival[];
  /** How many deliveries each transaction had. */
  readonly batches: number[];
  readonly answers: Map<string, CapturedAnswer>;
  readonly progress: CaptureProgress[];
  /** Resolves when this was told. */
  readonly told: <Kind extends CaptureProgress['kind']>(
    kind: Kind,
    count?: number,
  ) => Promise<Extract<CaptureProgress, { kind: Kind }>>;
};

export type HarnessOptions = Partial<CaptureRequest> & {
  /** Called before a batch is kept; may throw as a corpus does. */
  readonly beforeStoring?: (events: readonly Arrival[]) => void;
  readonly factsOf?: () => never;
};

export const fixed = (status: number, body = ''): AnswerPolicy => ({
  kind: 'fixed',
  reply: { by: 'capture', status, headers: [['X-Answer', 'ours']], body: Buffer.from(body) },
});

/** A capture on a free port over a corpus in memory. */
export async function startHarness(options: HarnessOptions = {}): Promise<Harness> {
  const { beforeStoring, factsOf, ...request } = options;
  const stored: Arrival[] = [];
  const batches: number[] = [];
  const answers = new Map<string, CapturedAnswer>();
  const progress: CaptureProgress[] = [];
  const waiting = new Set<() => void>();
  const capture = await startCapture(
    { host: '127.0.0.1', port: 0, limitBytes: 1024 * 1024, tags: [], policy: fixed(200), ...request },
    {
      corpus: {
        receive: async (arrivals) => {
          beforeStoring?.(arrivals);
          batches.push(arrivals.length);
          return arrivals.map((arrival) => `e${stored.push(arrival)}`);
        },
        index: async () => false,
        answered: async (some) => {
          for (const { id, answer } of some) answers.set(id, answer);
        },
      },
      factsOf: factsOf ?? ((_request, provider) => ({ provider: provider ?? 'generic' })),
      clock: systemClock,
      listener: (told) => {
        progress.push(told);
        for (const wake of waiting) wake();
      },
    },
  );
  const told: Harness['told'] = (kind, count = 1) =>
    new Promise((resolve) => {
      const look = () => {
        const found = progress.filter((one) => one.kind === kind)[count - 1];
        if (!found) return;
        waiting.delete(look);
        resolve(found as never);
      };
      waiting.add(look);
      look();
    });
  return { capture, stored, batches, answers, progress, told };
}

/** A forward policy over a fake sender. */
export function forwardBy(
  send: (request: OutgoingRequest, options: SendOptions) => Promise<Outcome> | Outcome,
  more: Partial<Forward> = {},
): AnswerPolicy {
  return {
    kind: 'forward',
    forward: {
      send: async (request, options) => ({ outcome: await send(request, options), sentMs: 0, doneMs: 0 }),
      origin: new URL('http://receiver.test'),
      prepare: ({ path, query, headers }) => {
        const target = query === null ? path : `${path}?${query}`;
        return { url: new URL(`http://receiver.test${target}`), target, headers, withheld: [] };
      },
      timeoutMs: 1000,
      ...more,
    },
  };
}

export function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}
