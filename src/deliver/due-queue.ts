export type DueQueue<T> = {
  readonly push: (dueMs: number, item: T) => void;
  readonly first: () => { readonly dueMs: number; readonly item: T } | undefined;
  readonly removeFirst: () => void;
};

type Entry<T> = { readonly dueMs: number; readonly order: number; readonly item: T };

/** A binary heap: the earliest first, of equal ones the first pushed. */
export function createDueQueue<T>(): DueQueue<T> {
  const heap: Entry<T>[] = [];
  let pushed = 0;
  return {
    push: (dueMs, item) => {
      heap.push({ dueMs, order: pushed++, item });
      rise(heap);
    },
    first: () => heap[0],
    removeFirst: () => {
      const last = heap.pop();
      if (last === undefined || heap.length === 0) return;
      heap[0] = last;
      sink(heap);
    },
  };
}

function rise<T>(heap: Entry<T>[]): void {
  let place = heap.length - 1;
  while (place > 0) {
    const parent = (place - 1) >> 1;
    if (!isBefore(heap[place], heap[parent])) return;
    swap(heap, place, parent);
    place = parent;
  }
}

function sink<T>(heap: Entry<T>[]): void {
  let place = 0;
  while (true) {
    const left = 2 * place + 1;
    const child = isBefore(heap[left + 1], heap[left]) ? left + 1 : left;
    if (!isBefore(heap[child], heap[place])) return;
    swap(heap, place, child);
    place = child;
  }
}

/** What is not there is behind everything. */
function isBefore<T>(a: Entry<T> | undefined, b: Entry<T> | undefined): boolean {
  if (!a || !b) return a !== undefined;
  return a.dueMs < b.dueMs || (a.dueMs === b.dueMs && a.order < b.order);
}

function swap<T>(heap: Entry<T>[], a: number, b: number): void {
  [heap[a], heap[b]] = [heap[b] as Entry<T>, heap[a] as Entry<T>];
}
