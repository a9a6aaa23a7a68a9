import type { Cell, Collection, Row } from '../model/effect.ts';

/** What came to us by itself, in the order in which it began to come: calls, mails, messages, lines. */
export type Incoming = {
  /** Something begins to arrive. Not quiet until it is done with, whether it became a row or not. */
  readonly begin: () => number;
  /** Writes it down, or writes it anew. */
  readonly record: (number: number, cells: Readonly<Record<string, Cell>>) => void;
  readonly done: (number: number) => void;
  /** The three at once. */
  readonly add: (cells: Readonly<Record<string, Cell>>) => void;
  readonly isBusy: () => boolean;
  /** The same array as long as nothing came. */
  readonly collection: () => Collection;
  readonly version: () => string;
};

export function createIncoming(name: string): Incoming {
  const rows = new Map<number, Row>();
  const open = new Set<number>();
  let begun = 0;
  let changes = 0;
  let latest: { readonly changes: number; readonly collection: Collection } = {
    changes: 0,
    collection: { name, rows: [] },
  };
  const begin = () => {
    open.add(++begun);
    return begun;
  };
  const record: Incoming['record'] = (number, cells) => {
    rows.set(number, { key: String(number), cells });
    changes++;
  };
  const done = (number: number) => {
    open.delete(number);
  };
  return {
    begin,
    record,
    done,
    add: (cells) => {
      const number = begin();
      record(number, cells);
      done(number);
    },
    isBusy: () => open.size > 0,
    collection: () => {
      if (latest.changes !== changes) {
        const sorted = [...rows].sort(([a], [b]) => a - b).map(([, row]) => row);
        latest = { changes, collection: { name, rows: sorted } };
      }
      return latest.collection;
    },
    version: () => String(changes),
  };
}
