import { describe, expect, it } from 'vitest';
import { UserError } from '../../../src/support/errors.ts';
import { notation, planOf } from './plans.ts';

describe('the order of deliveries', () => {
  it.each([
    ['one resource is a chain', 'a1 a2 a3', 'once', 'a1 a2>s1 a3>s2'],
    ['resources run side by side', 'a1 b1 a2 b2', 'once', 'a1 b1 a2>s1 b2>s2'],
    ['events without a resource wait for nothing', '-1 -2 a1 a2', 'once', '-1 -2 a1 a2>s3'],
    [
      'a copy follows the answer to the one before, newer events follow the copy',
      'a1 a2',
      'duplicate',
      "a1 a1'>s1 a2>s2 a2'>s3",
    ],
    ['duplicate:n counts all', 'a1', 'duplicate:4', "a1 a1'>s1 a1''>s2 a1'''>s3"],
    ['a group an event', 'a1 a2', 'concurrent', "a1[g1] a1'[g1] a2[g2]>s2 a2'[g2]>s2"],
    ['concurrent:n', '-1', 'concurrent:3', "-1[g1] -1'[g1] -1''[g1]"],
    ['reverse is strict even over resources', 'a1 b1 a2', 'out-of-order', 'a2 b1>s1 a1>s2'],
    ['swap changes neighbours of one resource', 'a1 b1 a2 a3', 'out-of-order:swap', 'a2 b1>s1 a1>s2 a3>s3'],
    ['swap changes any neighbours where no resource has two', '-1', 'once', '-1'],
    ['swap without resources', '-1 -2 -3', 'out-of-order:swap', '-2 -1>s1 -3>s2'],
    ['swap with single resources', 'a1 b1 c1', 'out-of-order:swap', 'b1 a1>s1 c1>s2'],
    ['chains move whole', 'a1 a2', 'duplicate+out-of-order', "a2 a2'>s1 a1>s2 a1'>s3"],
    ['the order of the two does not matter here', 'a1 a2', 'out-of-order+duplicate', "a2 a2'>s1 a1>s2 a1'>s3"],
    ['groups move whole', 'a1 a2', 'concurrent+out-of-order', "a2[g1] a2'[g1] a1[g2]>s2 a1'[g2]>s2"],
    ['delay alone pauses between all events', 'a1 b1 a2', 'delay:2s', 'a1 b1>s1+2000 a2>s2+2000'],
    ['delay of a single event counts from the start', 'a1', 'delay:2s', 'a1@2000'],
    [
      'duplicate+delay makes copies late, newer events go on',
      'a1 a2',
      'duplicate+delay:2s',
      "a1 a2>s1 a1'>s1+2000 a2'>s2+2000",
    ],
    ['delay+duplicate pauses first and then doubles', 'a1 b1', 'delay:2s+duplicate', "a1 a1'>s1 b1>s2+2000 b1'>s3"],
    [
      'groups come with pauses between them',
      '-1 -2',
      'concurrent+delay:1s',
      "-1[g1] -1'[g1] -2[g2]>s2+1000 -2'[g2]>s2+1000",
    ],
    ['pauses stay where they are while events move', 'a1 a2', 'delay:2s+out-of-order', 'a2 a1>s1+2000'],
    ['a burst keeps its own times', 'a1 b1', 'burst:2', "a1 b1 a1'@5000 b1'@5000 a1''@305000 b1''@305000"],
    [
      'the last delay of the provider repeats',
      'a1',
      'burst:5',
      "a1 a1'@5000 a1''@305000 a1'''@2105000 a1''''@3905000 a1'''''@5705000",
    ],
    ['retry keeps lanes', 'a1 a2 b1', 'retry', 'a1 a2>s1 b1'],
  ])('%s', (...[, names, pattern, expected]) => {
    expect(notation(planOf(names, pattern))).toBe(expected);
  });

  it('is one chain over all resources when ordered', () => {
    expect(notation(planOf('a1 b1 -1', 'once', { ordered: true }))).toBe('a1 b1>s1 -1>s2');
    expect(notation(planOf('a1 b1', 'duplicate+delay:2s', { ordered: true }))).toBe("a1 a1'>s1+2000 b1>s2 b1'>s3+2000");
  });

  it('keeps resources of different providers apart', () => {
    const events = [
      { id: 'x', provider: 'stripe', resource: '1' },
      { id: 'y', provider: 'shopify', resource: '1' },
    ];
    expect(notation(planOf('', 'once', { events }))).toBe('x y');
  });
});

describe('deliveries', () => {
  it('are redeliveries from the second copy on, but equal in a group', () => {
    const kinds = (pattern: string) => planOf('a1', pattern).steps.map(({ delivery }) => delivery.as);
    expect(kinds('duplicate:3')).toEqual(['same', 'redelivery', 'redelivery']);
    expect(kinds('burst:1')).toEqual(['same', 'redelivery']);
    expect(kinds('concurrent:2')).toEqual(['same', 'same']);
  });

  it("repeat by the provider's delays divided by the speed", () => {
    const [step] = planOf('a1', 'retry', { speed: 3600 }).steps;
    expect(step?.delivery.repeat).toEqual({ kind: 'until-2xx', delaysMs: [1.389, 83.333, 500], assumed: true });
    expect(planOf('a1', 'duplicate').steps[0]?.delivery.repeat).toEqual({ kind: 'once' });
  });

  it("asks each event's own provider for its delays", () => {
    const events = [
      { id: 'x', provider: 'stripe' },
      { id: 'y', provider: 'svix' },
    ];
    const retryPlanOf = (provider: string) => ({ delaysMs: [provider === 'svix' ? 20 : 10], assumed: false });
    expect(notation(planOf('', 'burst:1', { events, retryPlanOf }))).toBe("x y x'@10 y'@20");
  });

  it('draws a delay from its range by the seed', () => {
    const delays = (seed: number) =>
      planOf('a1 a2 a3 a4 a5 a6', 'delay:100ms..200ms', { seed }).steps.flatMap(({ start }) =>
        start.kind === 'after' ? start.delayMs : [],
      );
    expect(delays(1)).toHaveLength(5);
    expect(delays(1).every((delay) => delay >= 100 && delay <= 200)).toBe(true);
    expect(new Set(delays(1)).size).toBeGreaterThan(1);
    expect(delays(2)).not.toEqual(delays(1));
  });
});

describe('reorders', () => {
  it.each([
    ['a1 a2', 'once', false],
    ['a1 a2', 'duplicate', false],
    ['a1 a2', 'out-of-order', true],
    ['a1 a2', 'duplicate+delay:1s', true],
    ['a1 b1', 'duplicate+delay:1s', false],
    ['a1 a2', 'burst:1', true],
    ['a1 -1', 'burst:1', false],
  ])('of %s by %s is %s', (names, pattern, expected) => {
    expect(planOf(names, pattern).reorders).toBe(expected);
  });

  it('is false for late copies that newer events wait for', () => {
    expect(planOf('a1 a2', 'duplicate+delay:1s', { ordered: true }).reorders).toBe(false);
  });
});

describe('what makes no sense here', () => {
  it('refuses to put a single event out of order', () => {
    expect(() => planOf('a1', 'duplicate+out-of-order')).toThrow(/nothing to put out of order: a single event was/);
    expect(() => planOf('', 'out-of-order')).toThrow(/no event was selected/);
  });

  it('refuses an ordered burst', () => {
    expect(() => planOf('a1', 'burst', { ordered: true })).toThrow(UserError);
  });

  it('refuses more deliveries than a run can hold', () => {
    const events = Array.from({ length: 3000 }, (_, index) => ({ id: `e${index}`, provider: 'stripe' }));
    expect(() => planOf('', 'duplicate:1000', { events })).toThrow(/3000 events makes 3000000 deliveries/);
  });
});

it('plans 100,000 events within seconds', () => {
  const events = Array.from({ length: 100_000 }, (_, index) => ({
    id: `evt_${index}`,
    provider: 'stripe',
    resource: `r${index % 5000}`,
  }));
  const began = performance.now();
  expect(planOf('', 'duplicate+out-of-order:shuffle+retry', { events }).steps).toHaveLength(200_000);
  expect(planOf('', 'out-of-order:swap', { events }).steps).toHaveLength(100_000);
  expect(performance.now() - began).toBeLessThan(5000);
});
