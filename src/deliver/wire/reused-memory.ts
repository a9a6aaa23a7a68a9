export type ReusedMemory = {
  /** Room for so many bytes, in the same place as the last time where that is large enough. */
  readonly room: (bytes: number) => Buffer;
  /** What has room now may keep it; the next gets another place. */
  readonly leave: () => void;
};

const LEAST_BYTES = 4096;

export function reusedMemory(): ReusedMemory {
  let place: Buffer = Buffer.alloc(0);
  return {
    room: (bytes) => {
      if (place.length < bytes) place = Buffer.allocUnsafeSlow(Math.max(bytes, LEAST_BYTES));
      return place.subarray(0, bytes);
    },
    leave: () => {
      place = Buffer.alloc(0);
    },
  };
}
