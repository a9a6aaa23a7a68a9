import { describe, expect, it } from 'vitest';
import { virtualClock } from '../../../src/support/clock.ts';

describe('virtualClock', () => {
  it('wakes sleepers in the order of their due times, whoever lay down first', async () => {
    const clock = virtualClock();
    const woken: string[] = [];
    const sleep = (name: string, ms: number) => clock.sleep(ms).then(() => woken.push(`${name} at ${clock.now()}`));
    await Promise.all([sleep('day', 86_400_000), sleep('b', 20), sleep('a', 10), sleep('c', 20)]);
    expect(woken).toEqual(['a at 10', 'b at 20', 'c at 20', 'day at 86400000']);
  });

  it('lets a sleeper that wakes lie down again before later ones wake', async () => {
    const clock = virtualClock();
    const woken: number[] = [];
    const twice = async () => {
      await clock.sleep(10);
      await clock.sleep(10);
      woken.push(clock.now());
    };
    await Promise.all([clock.sleep(1000).then(() => woken.push(clock.now())), twice()]);
    expect(woken).toEqual([20, 1000]);
  });

  it('does not move for a sleeper that was called off', async () => {
    const clock = virtualClock();
    const cancel = new AbortController();
    const calledOff = clock.sleep(1000, cancel.signal);
    cancel.abort();
    await calledOff;
    await clock.sleep(5);
    expect(clock.now()).toBe(5);
  });
});
