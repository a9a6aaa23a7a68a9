import type { Arrival } from '../model/corpus.ts';

/** One row of the table of arrivals, before it has an id. */
export type NewArrivalRow = {
  /** Epoch milliseconds. */
  readonly receivedAt: number;
  /** Everything but the payload, as JSON. */
  readonly head: string;
  readonly payload: Uint8Array;
};

/**
 * Arrivals on their way to another thread: one text, and one piece of memory that changes hands. As objects they would be copied
 * one by one, each payload with all the memory that it is a part of.
 */
export type PackedArrivals = {
  /** JSON of `[receivedAt, head, payload's bytes][]`. */
  readonly rows: string;
  /** The payloads, one behind the other. */
  readonly payloads: Uint8Array<ArrayBuffer>;
};

type PackedRow = readonly [receivedAt: number, head: string, bytes: number];

export function packArrivals(arrivals: readonly Arrival[], headOf: (arrival: Arrival) => string): PackedArrivals {
  const payloads = new Uint8Array(arrivals.reduce((sum, { payload }) => sum + payload.length, 0));
  let filled = 0;
  const rows = arrivals.map((arrival): PackedRow => {
    payloads.set(arrival.payload, filled);
    filled += arrival.payload.length;
    return [Date.parse(arrival.receivedAt), headOf(arrival), arrival.payload.length];
  });
  return { rows: JSON.stringify(rows), payloads };
}

export function unpackArrivals({ rows, payloads }: PackedArrivals): readonly NewArrivalRow[] {
  let taken = 0;
  return (JSON.parse(rows) as PackedRow[]).map(([receivedAt, head, bytes]) => {
    const payload = payloads.subarray(taken, taken + bytes);
    taken += bytes;
    return { receivedAt, head, payload };
  });
}
