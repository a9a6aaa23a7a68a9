import { describe, expect, it } from 'vitest';
import type { Plan } from '../../../src/model/plan.ts';
import { describePlan } from '../../../src/plan/describe-plan.ts';
import { renderPlan } from '../../../src/plan/render-plan.ts';
import { planOf } from './plans.ts';

describe('renderPlan', () => {
  it('shows a chain with its waits', () => {
    expect(renderPlan(planOf('a1 a2', 'duplicate+delay:2s'))).toEqual([
      'pattern duplicate+delay:2s, seed 7',
      '4 deliveries of 2 events, the last at 2 s plus the answers waited for, at most 10 open at a time',
      's1  at the start  a1',
      's2  after s1      a2',
      's3  2 s after s1  a1  copy 2, redelivered',
      's4  2 s after s2  a2  copy 2, redelivered',
    ]);
  });

  it('shows groups', () => {
    expect(renderPlan(planOf('a1', 'concurrent'))).toEqual([
      'pattern concurrent, seed 7',
      '2 deliveries of 1 event, 2 released in 1 group, all at the start, at most 10 open at a time',
      's1  at the start  a1  released with g1',
      's2  at the start  a1  copy 2, released with g1',
    ]);
  });

  it('shows offsets and retries', () => {
    expect(renderPlan(planOf('a1', 'burst:1', { speed: 10 })).at(-1)).toBe('s2  at 500 ms     a1  copy 2, redelivered');
    expect(renderPlan(planOf('a1', 'retry')).slice(1)).toEqual([
      '1 delivery of 1 event, at most 3 retries, as fast as the answers come, at most 10 open at a time',
      's1  at the start  a1  until 2xx, retries after 5 s, 5 min, 30 min (assumed)',
    ]);
  });

  it('calls an event by its label', () => {
    expect(renderPlan(planOf('a1', 'once'), new Map([['a1', '<event-1>']])).at(-1)).toBe('s1  at the start  <event-1>');
  });

  it('says what is done to the receiver, and when', () => {
    const fault = {
      dependency: 'DATABASE_URL',
      turn: 2,
      side: 'after',
      how: 'stall',
      forMs: 600,
      withinMs: 1000,
    } as const;
    const plan: Plan = {
      ...planOf('a1', 'once'),
      steps: [
        ...planOf('a1', 'once').steps,
        {
          id: 'k',
          start: { kind: 'after', step: 's1', moment: 'first-byte', delayMs: 0 },
          control: { kind: 'kill', signal: 'SIGKILL' },
        },
        { id: 'r', start: { kind: 'after', step: 'k', moment: 'answered', delayMs: 0 }, control: { kind: 'restart' } },
        { id: 'st', start: { kind: 'after', step: 's1', moment: 'sent', delayMs: 20 }, control: { kind: 'stop' } },
        { id: 'co', start: { kind: 'at', atMs: 50 }, control: { kind: 'continue' } },
        { id: 'f', start: { kind: 'at', atMs: 0 }, control: { kind: 'fault', fault } },
      ],
    };
    expect(renderPlan(plan)).toEqual([
      'pattern once, seed 7',
      '1 delivery of 1 event, the last at 50 ms plus the answers waited for, at most 10 open at a time',
      's1  at the start                 a1',
      'k   after the first byte for s1  kill the receiver (SIGKILL)',
      'r   after k                      restart the receiver',
      'st  20 ms after s1 is sent       stop the receiver (SIGSTOP)',
      'co  at 50 ms                     let the receiver go on (SIGCONT)',
      'f   at the start                 stall after turn 2 of DATABASE_URL for 600 ms',
    ]);
  });

  it('shows an empty plan', () => {
    expect(renderPlan(planOf('', 'once'))[1]).toBe('0 deliveries of 0 events, at most 10 open at a time');
  });
});

describe('describePlan', () => {
  it('counts what goes where', () => {
    expect(describePlan(planOf('a1 a2 b1', 'duplicate+delay:2s'))).toEqual({
      deliveries: 6,
      events: 3,
      copies: 3,
      atOffsets: 2,
      afterAnswers: 4,
      groups: 0,
      inGroups: 0,
      mostRetries: 0,
      lastOffsetMs: 2000,
      exact: false,
    });
  });

  it('knows the length of a plan that waits for no answer', () => {
    expect(describePlan(planOf('a1', 'burst:3'))).toMatchObject({ lastOffsetMs: 2_105_000, exact: true });
  });
});
