import { createSender } from '../src/deliver/sender.ts';
import type { OutgoingRequest, SentOutcome } from '../src/model/attempt.ts';
import { systemClock } from '../src/support/clock.ts';
import { type Figures, figuresOf, row, shown } from './figures.ts';
import type { Goal } from './goals.ts';

const RUNS = 5;
const ROUNDS = 100;
const OPTIONS = { timeoutMs: 10_000 };

type Round = { readonly sent: readonly SentOutcome[]; readonly spreadMicros: number };
type Method = (requests: readonly OutgoingRequest[]) => Promise<Round>;

/** How often each way to send n copies at once makes the racy receiver act more than once. */
export async function benchRace(url: URL): Promise<readonly Goal[]> {
  console.log(`\nRace: one turn of the event loop as the window, ${RUNS} runs of ${ROUNDS} rounds, methods in turn`);
  row('', 'doubled', 'spread p50, us');
  let released = 0;
  for (const copies of [2, 10]) {
    const setup = { clock: systemClock, insecure: false, connections: copies };
    const warm = createSender(setup);
    const methods: Readonly<Record<string, Method>> = {
      'released together': (requests) => warm.sendTogether(requests, OPTIONS),
      'Promise.all, warm connections': async (requests) => {
        await Promise.all(requests.map((request) => warm.send(warmUp(request), OPTIONS)));
        const startMs = systemClock.now();
        return withSpread(startMs, await Promise.all(requests.map((request) => warm.send(request, OPTIONS))));
      },
      'Promise.all, cold connections': async (requests) => {
        const cold = createSender(setup);
        const startMs = systemClock.now();
        const sent = await Promise.all(requests.map((request) => cold.send(request, OPTIONS)));
        await cold.close();
        return withSpread(startMs, sent);
      },
    };
    for (const [name, { hits, spreads }] of await inTurn(methods, { url, copies })) {
      row(
        `${copies} copies ${name}`,
        shown(hits, (share) => `${Math.round(share * 100)} %`),
        shown(spreads, (micros) => micros.toFixed(0)),
      );
      if (name === 'released together' && copies === 2) released = hits.median;
    }
    await warm.close();
  }
  return [{ what: 'rounds in which a released pair met', value: released, least: 0.9 }];
}

type Result = { readonly hits: Figures; readonly spreads: Figures };

async function inTurn(
  methods: Readonly<Record<string, Method>>,
  { url, copies }: { readonly url: URL; readonly copies: number },
): Promise<ReadonlyMap<string, Result>> {
  const results = Object.entries(methods).map(([name, method]) => ({
    name,
    method,
    hits: [] as number[],
    spreads: [] as number[],
  }));
  for (let run = 0; run < RUNS; run++) {
    const rounds: Round[][] = results.map(() => []);
    for (let round = 0; round < ROUNDS; round++) {
      for (const [index, { name, method }] of results.entries()) {
        const request = requestOf(url, `${copies} ${name} ${run} ${round}`);
        rounds[index]?.push(await method(Array.from({ length: copies }, () => request)));
      }
    }
    for (const [index, { hits, spreads }] of results.entries()) {
      const own = rounds[index] ?? [];
      hits.push(own.filter(isHit).length / ROUNDS);
      spreads.push(figuresOf(own.map(({ spreadMicros }) => spreadMicros)).median);
    }
  }
  return new Map(
    results.map(({ name, hits, spreads }) => [name, { hits: figuresOf(hits), spreads: figuresOf(spreads) }]),
  );
}

function isHit({ sent }: Round): boolean {
  return sent.filter(({ outcome }) => outcome.kind === 'response' && String(outcome.body) === 'acted').length > 1;
}

function requestOf(url: URL, id: string): OutgoingRequest {
  const headers = [['content-type', 'application/json'] as const];
  return {
    method: 'POST',
    url,
    target: '/',
    headers,
    payload: Buffer.from(JSON.stringify({ id, fill: 'x'.repeat(2000) })),
  };
}

function warmUp(request: OutgoingRequest): OutgoingRequest {
  return { ...request, payload: Buffer.from('warm') };
}

function withSpread(startMs: number, sent: readonly SentOutcome[]): Round {
  const instants = sent.map(({ sentMs }) => sentMs);
  return { sent, spreadMicros: (Math.max(...instants) - startMs) * 1000 };
}
