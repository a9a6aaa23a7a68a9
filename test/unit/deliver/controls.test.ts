import { describe, expect, it } from 'vitest';
import { type ExecutePorts, executePlan } from '../../../src/deliver/execute-plan.ts';
import type { Outcome, OutgoingRequest, SendOptions } from '../../../src/model/attempt.ts';
import type { Control, Moment, Plan, Repeat, Step } from '../../../src/model/plan.ts';
import { virtualClock } from '../../../src/support/clock.ts';
import { composeWith } from './compose-stub.ts';

const ANSWER: Outcome = { kind: 'response', status: 200, headers: [], body: new Uint8Array() };
const RESET: Outcome = { kind: 'no-response', reason: 'reset', detail: '' };
const KILL: Control = { kind: 'kill', signal: 'SIGKILL' };
const RESTART: Control = { kind: 'restart' };

const behind = (step: string, moment: Moment = 'answered', delayMs = 0): Step['start'] => ({
  kind: 'after',
  step,
  moment,
  delayMs,
});
const start: Step['start'] = { kind: 'at', atMs: 0 };
const retried: Repeat = { kind: 'until-2xx', delaysMs: [5, 5], assumed: false };

function deliver(id: string, when: Step['start'], repeat: Repeat = { kind: 'once' }): Step {
  return { id, start: when, delivery: { event: id, copy: 1, as: 'same', repeat } };
}

const planOf = (...steps: readonly Step[]): Plan => ({
  pattern: 'test',
  seed: 1,
  steps,
  reorders: false,
  concurrency: 10,
});

/** A receiver on a virtual clock: answers after 20 ms, its first byte after 10, and is gone from a kill to 100 ms behind a restart. */
function world() {
  const clock = virtualClock();
  const story: string[] = [];
  const tell = (what: string) => story.push(`${clock.now()} ${what}`);
  let life = 1;
  const exchange = async (request: OutgoingRequest, { onFirstByte }: SendOptions) => {
    const sentMs = clock.now();
    tell(request.target.slice(1));
    const mine = life;
    await clock.sleep(10);
    if (life === mine && life > 0) onFirstByte?.();
    await clock.sleep(10);
    return { outcome: life === mine && life > 0 ? ANSWER : RESET, sentMs, doneMs: clock.now() };
  };
  const ports: ExecutePorts = {
    clock,
    compose: composeWith(0),
    isFinal: () => false,
    round: 'round-1',
    onAttempt: () => {},
    signal: new AbortController().signal,
    send: exchange,
    sendTogether: async (requests, options) => ({
      sent: await Promise.all(requests.map((request) => exchange(request, options))),
      spreadMicros: 0,
    }),
    receiver: {
      kill: async (signal) => {
        tell(signal);
        life = 0;
      },
      restart: async () => {
        tell('restart');
        life = 0;
        await clock.sleep(100);
        life = 2;
      },
      stop: () => tell('stop'),
      continue: () => tell('continue'),
      death: () => undefined,
    },
  };
  return { ports, story };
}

describe('a plan with controls', () => {
  it('delivers again only when the receiver is back', async () => {
    const { ports, story } = world();
    const steps = [
      deliver('s1', start),
      { id: 'k', start: behind('s1'), control: KILL },
      { id: 'r', start: behind('k'), control: RESTART },
      deliver('s2', behind('r')),
    ];
    const execution = await executePlan(planOf(...steps), ports);
    expect(story).toEqual(['0 s1/1', '20 SIGKILL', '20 restart', '120 s2/1']);
    expect(execution).toMatchObject({ planned: 2, sent: 2, attempts: 2 });
  });

  it('kills so long after a delivery was sent, and holds its retry until the receiver is back', async () => {
    const { ports, story } = world();
    const steps = [
      deliver('s1', start, retried),
      { id: 'k', start: behind('s1', 'sent', 7), control: KILL },
      { id: 'r', start: behind('k'), control: RESTART },
    ];
    await executePlan(planOf(...steps), ports);
    expect(story).toEqual(['0 s1/1', '7 SIGKILL', '7 restart', '107 s1/2']);
  });

  it('kills at the first byte of an answer', async () => {
    const { ports, story } = world();
    const steps = [
      deliver('s1', start, retried),
      { id: 'k', start: behind('s1', 'first-byte'), control: KILL },
      { id: 'r', start: behind('k'), control: RESTART },
    ];
    await executePlan(planOf(...steps), ports);
    expect(story).toEqual(['0 s1/1', '10 SIGKILL', '10 restart', '110 s1/2']);
  });

  it('takes a first byte that never came to have come with the end of the attempt', async () => {
    const { ports, story } = world();
    const steps = [
      { id: 'k', start, control: KILL },
      deliver('s1', behind('k')),
      { id: 'stop', start: behind('s1', 'first-byte'), control: { kind: 'stop' } as const },
      { id: 'go', start: behind('stop', 'answered', 5), control: { kind: 'continue' } as const },
    ];
    await executePlan(planOf(...steps), ports);
    expect(story).toEqual(['0 SIGKILL', '0 s1/1', '20 stop', '25 continue']);
  });

  it('tells what came of a fault, which lies in wait before the delivery goes out', async () => {
    const { ports, story } = world();
    const strikes: unknown[] = [];
    const strike = { struck: true, turns: [] };
    const interception = {
      dependencies: ['DB'],
      learnChatter: () => () => {},
      count: () => () => [],
      lieInWait: async () => {
        story.push('lies in wait');
        await ports.clock.sleep(3);
        return strike;
      },
    };
    const fault = { dependency: 'DB', turn: 1, side: 'before', how: 'cut', withinMs: 100 } as const;
    const steps: readonly Step[] = [
      { id: 'f', start, control: { kind: 'fault', fault } },
      deliver('s1', behind('f', 'sent')),
      deliver('s2', behind('f')),
    ];
    const receiver = ports.receiver && { ...ports.receiver, interception };
    await executePlan(planOf(...steps), { ...ports, receiver, onStrike: ({ id }, told) => strikes.push([id, told]) });
    expect(story).toEqual(['lies in wait', '0 s1/1', '3 s2/1']);
    expect(strikes).toEqual([['f', strike]]);
  });

  it('is a bug when the receiver is not ours', async () => {
    const { ports } = world();
    const plan = planOf({ id: 'k', start, control: KILL });
    await expect(executePlan(plan, { ...ports, receiver: undefined })).rejects.toThrow('is not ours');
  });
});
