import { executePlan } from '../src/deliver/execute-plan.ts';
import { createSender } from '../src/deliver/sender.ts';
import type { ScheduleError } from '../src/model/run.ts';
import { type Clock, systemClock } from '../src/support/clock.ts';
import { figuresOf, row, shown } from './figures.ts';
import type { Goal } from './goals.ts';

const RUNS = 5;
const DELIVERIES = 1000;

/** The error between planned and real sending at a steady rate, answers handled meanwhile, beside plain timers. */
export async function benchPacing(url: URL): Promise<readonly Goal[]> {
  console.log(`\nPacing: planned against real sending, ${RUNS} runs of ${DELIVERIES} deliveries, in turn; us`);
  row('', 'p50', 'p99', 'max', 'CPU');
  const clocks: Readonly<Record<string, Clock>> = {
    ours: systemClock,
    'timers only': { ...systemClock, turn: undefined },
  };
  for (const everyMs of [5, 1]) {
    const results = Object.entries(clocks).map(([name, clock]) => ({ name, clock, runs: [] as Measured[] }));
    for (let run = 0; run < RUNS; run++) {
      for (const { clock, runs } of results) runs.push(await measure(url, { clock, everyMs }));
    }
    for (const { name, runs } of results) {
      const of = (key: keyof ScheduleError) =>
        shown(figuresOf(runs.map((run) => run[key] * 1000)), (micros) => micros.toFixed(0));
      const cpu = shown(figuresOf(runs.map((run) => run.cpu)), (share) => `${Math.round(share * 100)} %`);
      row(`${1000 / everyMs}/s, ${name}`, of('p50'), of('p99'), of('max'), cpu);
    }
  }
  return [];
}

type Measured = ScheduleError & { readonly cpu: number };

async function measure(
  url: URL,
  { clock, everyMs }: { readonly clock: Clock; readonly everyMs: number },
): Promise<Measured> {
  const sender = createSender({ clock, insecure: false, connections: 50 });
  const steps = Array.from({ length: DELIVERIES }, (_, index) => ({
    id: `s${index}`,
    start: { kind: 'at', atMs: (index + 1) * everyMs } as const,
    delivery: { event: `e${index}`, copy: 1, as: 'same', repeat: { kind: 'once' } } as const,
  }));
  const [startMs, startCpu] = [clock.now(), process.cpuUsage()];
  const { scheduleErrorMs } = await executePlan(
    { pattern: 'bench', seed: 1, steps, reorders: false, concurrency: 50 },
    {
      clock,
      send: sender.sendMany,
      sendTogether: sender.sendTogether,
      compose: ({ id }) => ({
        timeoutMs: 10_000,
        request: {
          method: 'POST',
          url,
          target: '/',
          headers: [],
          payload: Buffer.from(`${id} ${startMs} ${'x'.repeat(2000)}`),
        },
      }),
      isFinal: () => false,
      round: 'bench',
      onAttempt: () => {},
      signal: new AbortController().signal,
    },
  );
  const { user, system } = process.cpuUsage(startCpu);
  const cpu = (user + system) / 1000 / (clock.now() - startMs);
  await sender.close();
  return { ...(scheduleErrorMs ?? { p50: 0, p99: 0, max: 0 }), cpu };
}
