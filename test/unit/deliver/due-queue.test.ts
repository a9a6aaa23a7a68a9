import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createDueQueue } from '../../../src/deliver/due-queue.ts';

it('gives the earliest first and equal ones in the order pushed, as a stable sort would', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 20 })), (dues) => {
      const queue = createDueQueue<number>();
      for (const [index, dueMs] of dues.entries()) queue.push(dueMs, index);
      const taken: number[] = [];
      for (let first = queue.first(); first; first = queue.first()) {
        taken.push(first.item);
        queue.removeFirst();
      }
      const sorted = [...dues.keys()].sort((a, b) => (dues[a] ?? 0) - (dues[b] ?? 0) || a - b);
      expect(taken).toEqual(sorted);
    }),
  );
});

it('may be pushed to while it is emptied', () => {
  const queue = createDueQueue<string>();
  queue.push(5, 'five');
  queue.push(3, 'three');
  expect(queue.first()?.item).toBe('three');
  queue.removeFirst();
  queue.push(1, 'one');
  expect(queue.first()?.item).toBe('one');
  queue.removeFirst();
  queue.removeFirst();
  expect(queue.first()).toBeUndefined();
  queue.removeFirst();
  expect(queue.first()).toBeUndefined();
});
