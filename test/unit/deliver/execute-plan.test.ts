import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type ExecutePorts, executePlan } from '../../../src/deliver/execute-plan.ts';
import type { Attempt, Outcome, OutgoingRequest, SendOptions } from '../../../src/model/attempt.ts';
import type { Plan, Repeat, Start, Step } from '../../../src/model/plan.ts';
import { virtualClock } from '../../../src/support/clock.ts';
import { composeWith } from './compose-stub.ts';

const HOUR = 3_600_000;

const at = (atMs: number): Start => ({ kind: 'at', atMs });
const behind = (step: string, delayMs = 0): Start => ({ kind: 'after', step, moment: 'answered', delayMs });
const retries = (...delaysMs: readonly number[]): Repeat => ({ kind: 'until-2xx', delaysMs, assumed: false });
const answer = (status: number): Outcome => ({ kind: 'response', status, headers: [], body: new Uint8Array() });
const silence: Outcome = { kind: 'no-response', reason: 'timeout', detail: '' };

function step(
  id: string,
  start: Start,
  { repeat = { kind: 'once' } as Repeat, group = undefined as string | undefined } = {},
): Step {
  return { id, start, delivery: { event: `event-of-${id}`, copy: 1, as: 'same', group, repeat } };
}

function planOf(steps: readonly Step[], concurrency = 10): Plan {
  return { pattern: 'test', seed: 1, steps, reorders: false, concurrency };
}

type World = Partial<ExecutePorts> & {
  /** What the nth attempt (from 1) of a step is answered, and after how long. */
  readonly answers?: (step: string, attempt: number) => Outcome;
  readonly latencyMs?: number;
};

/** A receiver on a virtual clock that notes what it gets and when. */
function world({ answers = () => answer(200), latencyMs = 10, ...own }: World = {}) {
  const clock = virtualClock();
  const arrivals: string[] = [];
  const attempts: Attempt[] = [];
  const open = { now: 0, most: 0 };
  const exchange = async (request: OutgoingRequest, { signal }: SendOptions) => {
    const sentMs = clock.now();
    const [, id = '', attempt = ''] = request.target.split('/');
    arrivals.push(`${id}/${attempt} at ${sentMs}`);
    open.most = Math.max(open.most, ++open.now);
    await clock.sleep(latencyMs, signal);
    open.now--;
    const outcome: Outcome = signal?.aborted
      ? { kind: 'no-response', reason: 'aborted', detail: '' }
      : answers(id, Number(attempt));
    return { outcome, sentMs, doneMs: clock.now() };
  };
  const ports: ExecutePorts = {
    clock,
    compose: composeWith(1000),
    isFinal: () => false,
    round: 'round-1',
    onAttempt: (attempt) => attempts.push(attempt),
    signal: new AbortController().signal,
    send: exchange,
    sendTogether: async (requests, options) => {
      arrivals.push(`together ${requests.length}`);
      return { sent: await Promise.all(requests.map((request) => exchange(request, options))), spreadMicros: 42 };
    },
    ...own,
  };
  return { ports, arrivals, attempts, open, clock };
}

describe('executePlan', () => {
  it('sends at the planned offsets, never early, in the order of time and not of the list', async () => {
    const { ports, arrivals } = world();
    await executePlan(planOf([step('c', at(HOUR)), step('a', at(0)), step('b', at(5))]), ports);
    expect(arrivals).toEqual(['a/1 at 0', 'b/1 at 5', 'c/1 at 3600000']);
  });

  it('counts offsets from its own start, on a clock that has run for long', async () => {
    const { ports, attempts, clock } = world();
    await clock.sleep(500);
    await executePlan(planOf([step('a', at(100))]), ports);
    expect(attempts[0]?.times).toEqual({ plannedMs: 100, sentMs: 100, doneMs: 110 });
  });

  it('starts what follows after the answer and the delay', async () => {
    const { ports, arrivals } = world();
    await executePlan(planOf([step('b', behind('a', 30)), step('a', at(0)), step('c', behind('b'))]), ports);
    expect(arrivals).toEqual(['a/1 at 0', 'b/1 at 40', 'c/1 at 50']);
  });

  it.each([
    ['no answer', silence],
    ['an error', answer(500)],
  ])('goes on after %s as after any end', async (_title, outcome) => {
    const { ports, arrivals } = world({ answers: () => outcome });
    const execution = await executePlan(planOf([step('a', at(0)), step('b', behind('a'))]), ports);
    expect(arrivals).toEqual(['a/1 at 0', 'b/1 at 10']);
    expect(execution).toMatchObject({ planned: 2, sent: 2, attempts: 2, interrupted: false });
  });

  it('does not hold followers back for a retry', async () => {
    const { ports, arrivals } = world({ answers: (id, attempt) => answer(id === 'a' && attempt === 1 ? 503 : 200) });
    await executePlan(planOf([step('a', at(0), { repeat: retries(100) }), step('b', behind('a'))]), ports);
    expect(arrivals).toEqual(['a/1 at 0', 'b/1 at 10', 'a/2 at 110']);
  });

  it('repeats until the first 2xx, a day of retries in no time', async () => {
    const { ports, arrivals, attempts } = world({ answers: (_id, attempt) => (attempt === 4 ? answer(201) : silence) });
    const repeat = retries(5, HOUR, 23 * HOUR, HOUR);
    const execution = await executePlan(planOf([step('a', at(0), { repeat })]), ports);
    expect(arrivals).toEqual(['a/1 at 0', 'a/2 at 15', `a/3 at ${HOUR + 25}`, `a/4 at ${24 * HOUR + 35}`]);
    expect(attempts.map(({ attempt, number }) => [attempt, number])).toEqual([
      [1, 1],
      [2, 2],
      [3, 3],
      [4, 4],
    ]);
    expect(execution).toMatchObject({ planned: 1, sent: 1, attempts: 4 });
  });

  it('gives up at the end of the list, and after a final status', async () => {
    const { ports, arrivals } = world({
      answers: (id) => answer(id === 'gone' ? 410 : 500),
      isFinal: (_step, status) => status === 410,
    });
    const repeat = retries(10, 10);
    await executePlan(planOf([step('gone', at(0), { repeat }), step('sick', at(1), { repeat })]), ports);
    expect(arrivals).toEqual(['gone/1 at 0', 'sick/1 at 1', 'sick/2 at 21', 'sick/3 at 41']);
  });

  it('keeps the bound on open deliveries, also for retries', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.record({ atMs: fc.nat(50), fails: fc.nat(2) }), { minLength: 1, maxLength: 40 }),
        fc.integer({ min: 1, max: 5 }),
        async (wanted, concurrency) => {
          const steps = wanted.map(({ atMs }, index) => step(String(index), at(atMs), { repeat: retries(3, 3) }));
          const { ports, open, attempts } = world({
            answers: (id, attempt) => answer(attempt > (wanted[Number(id)]?.fails ?? 0) ? 200 : 500),
          });
          const execution = await executePlan(planOf(steps, concurrency), ports);
          expect(open.most).toBeLessThanOrEqual(concurrency);
          expect(execution.sent).toBe(wanted.length);
          expect(attempts).toHaveLength(wanted.reduce((sum, { fails }) => sum + fails + 1, 0));
          for (const { times } of attempts) expect(times.sentMs).toBeGreaterThanOrEqual(times.plannedMs);
        },
      ),
      { numRuns: 50 },
    );
  });

  it('releases a group whole, once its last member is due, and counts it against the bound', async () => {
    const { ports, arrivals, attempts } = world({ answers: (_id, attempt) => answer(attempt === 1 ? 500 : 200) });
    const group = { group: 'g1', repeat: retries(50) };
    const steps = [step('a', at(0), group), step('b', at(7), group), step('c', at(3), group), step('d', at(8))];
    const execution = await executePlan(planOf(steps, 2), ports);
    expect(arrivals).toEqual([
      'together 3',
      'a/1 at 7',
      'b/1 at 7',
      'c/1 at 7',
      'd/1 at 17',
      'a/2 at 67',
      'b/2 at 67',
      'c/2 at 77',
    ]);
    expect(execution.spreadsMicros).toEqual([42]);
    expect(attempts.filter(({ group: name }) => name === 'g1')).toHaveLength(3);
  });

  it('gives a group the longest timeout of its members, and none when one of them has none', async () => {
    const timeouts: number[] = [];
    const run = async (...own: readonly number[]) => {
      const { ports } = world();
      await executePlan(planOf(own.map((_, index) => step(String(index), at(0), { group: 'g' }))), {
        ...ports,
        compose: (one, attempt) => ({ ...ports.compose(one, attempt), timeoutMs: own[Number(one.id)] ?? 0 }),
        sendTogether: (requests, options) => {
          timeouts.push(options.timeoutMs);
          return ports.sendTogether(requests, options);
        },
      });
    };
    await run(10, 30, 20);
    await run(10, 0);
    expect(timeouts).toEqual([30, 0]);
  });

  it('tells how well times behind the start were kept, and nothing for what goes out as fast as it can', async () => {
    const slow = world({ latencyMs: 100 });
    const steps = [step('a', at(1)), step('b', at(2)), step('c', at(3))];
    expect((await executePlan(planOf(steps, 1), slow.ports)).scheduleErrorMs).toEqual({ p50: 99, p99: 198, max: 198 });
    const atOnce = world({ latencyMs: 100 });
    const execution = await executePlan(
      planOf([step('a', at(0)), step('b', at(0)), step('c', behind('b', 5))], 1),
      atOnce.ports,
    );
    expect(execution.scheduleErrorMs).toBeUndefined();
  });

  it('stops scheduling when interrupted and takes the answers that are on their way', async () => {
    const interrupt = new AbortController();
    const { ports, attempts, clock } = world({ latencyMs: 5000, signal: interrupt.signal });
    void clock.sleep(20).then(() => interrupt.abort());
    const steps = [
      step('a', at(0), { repeat: retries(1) }),
      step('b', at(10)),
      step('c', at(30)),
      step('d', behind('a')),
    ];
    const execution = await executePlan(planOf(steps), ports);
    expect(attempts.map(({ step: id, outcome }) => [id, outcome.kind])).toEqual([
      ['a', 'response'],
      ['b', 'response'],
    ]);
    expect(execution).toMatchObject({ planned: 4, sent: 2, attempts: 2, interrupted: true });
  });

  it('waits for at most 10 s after an interruption, then breaks off and says so', async () => {
    const interrupt = new AbortController();
    const { ports, attempts, clock } = world({ latencyMs: HOUR, signal: interrupt.signal });
    void clock.sleep(20).then(() => interrupt.abort());
    await executePlan(planOf([step('a', at(0))]), ports);
    expect(clock.now()).toBe(10_020);
    expect(attempts[0]).toMatchObject({ outcome: { reason: 'aborted' }, times: { doneMs: 10_020 } });
  });

  it('sends nothing when it was interrupted before its start', async () => {
    const { ports, arrivals } = world({ signal: AbortSignal.abort() });
    expect(await executePlan(planOf([step('a', at(0))]), ports)).toMatchObject({ sent: 0, interrupted: true });
    expect(arrivals).toEqual([]);
  });

  it('composes each attempt anew, when it goes out', async () => {
    const { ports, clock } = world({ answers: (_id, attempt) => answer(attempt === 2 ? 200 : 500) });
    const composed: unknown[] = [];
    const compose: ExecutePorts['compose'] = (one, attempt) => {
      composed.push([one.id, attempt, clock.now()]);
      return ports.compose(one, attempt);
    };
    await executePlan(planOf([step('a', at(100), { repeat: retries(1000) })]), { ...ports, compose });
    expect(composed).toEqual([
      ['a', 1, 100],
      ['a', 2, 1110],
    ]);
  });

  it('rejects with the error of a port and starts nothing more', async () => {
    const { ports, arrivals } = world();
    const compose: ExecutePorts['compose'] = (one, attempt) => {
      if (one.id === 'b') throw new Error('cannot be composed');
      return ports.compose(one, attempt);
    };
    const steps = [step('a', at(0)), step('b', at(5)), step('c', at(6))];
    await expect(executePlan(planOf(steps), { ...ports, compose })).rejects.toThrow('cannot be composed');
    await ports.clock.sleep(100);
    expect(arrivals).toEqual(['a/1 at 0']);
  });

  it('names a step that waits for one that is not there', async () => {
    const { ports } = world();
    await expect(executePlan(planOf([step('a', behind('ghost'))]), ports)).rejects.toThrow('waits for ghost');
  });

  it('holds no answer: 100,000 deliveries go through with what is open in hand', async () => {
    const { ports } = world({ latencyMs: 0 });
    let seen = 0;
    const steps = Array.from({ length: 100_000 }, (_, index) => step(String(index), at(0)));
    const quick: ExecutePorts['send'] = async () => ({ outcome: answer(200), sentMs: 0, doneMs: 0 });
    const onAttempt = () => {
      seen++;
    };
    const execution = await executePlan(planOf(steps, 50), { ...ports, send: quick, onAttempt });
    expect(seen).toBe(100_000);
    expect(execution).toMatchObject({ planned: 100_000, sent: 100_000, attempts: 100_000 });
  });
});
