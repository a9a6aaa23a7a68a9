/** How the end of a body is known. */
export type Framing = {
  /** Takes what it can of the bytes, giving the body's part away; `used` bytes need not be shown again. */
  readonly read: (bytes: Buffer, body: (chunk: Buffer) => void) => { readonly used: number; readonly state: ReadState };
  /** The end of the connection is the end of the body. */
  readonly endsWithConnection: boolean;
};

export type ReadState = 'more' | 'done' | { readonly broken: string };

export function fixedLength(length: number): Framing {
  let left = length;
  return {
    endsWithConnection: false,
    read: (bytes, body) => {
      const part = bytes.subarray(0, left);
      left -= part.length;
      body(part);
      return { used: part.length, state: left === 0 ? 'done' : 'more' };
    },
  };
}

export const UNTIL_CLOSE: Framing = {
  endsWithConnection: true,
  read: (bytes, body) => {
    body(bytes);
    return { used: bytes.length, state: 'more' };
  },
};
