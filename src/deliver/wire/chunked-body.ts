import type { Framing, ReadState } from './framing.ts';

const MAX_LINE_BYTES = 16 * 1024;

/** RFC 9112 section 7.1. Chunk extensions and trailers are read and dropped. */
export function chunkedBody(): Framing {
  let part: 'size' | 'data' | 'data-end' | 'trailer' = 'size';
  let left = 0;

  const readLine = (line: string): ReadState => {
    if (part === 'trailer') return line === '' ? 'done' : 'more';
    if (part === 'data-end') {
      part = 'size';
      return line === '' ? 'more' : { broken: 'A chunk is longer than it says.' };
    }
    const size = /^([0-9a-f]{1,13})(?:[ \t]*;.*)?$/i.exec(line)?.[1];
    if (size === undefined) return { broken: `A chunk's size is ${JSON.stringify(line.slice(0, 20))}.` };
    left = Number.parseInt(size, 16);
    part = left === 0 ? 'trailer' : 'data';
    return 'more';
  };

  const readData = (bytes: Buffer, body: (chunk: Buffer) => void): number => {
    const data = bytes.subarray(0, left);
    body(data);
    left -= data.length;
    if (left === 0) part = 'data-end';
    return data.length;
  };

  const step = (bytes: Buffer, body: (chunk: Buffer) => void): { readonly used: number; readonly state: ReadState } => {
    if (part === 'data') return { used: readData(bytes, body), state: 'more' };
    const end = bytes.indexOf('\r\n');
    if (end < 0) return { used: 0, state: bytes.length > MAX_LINE_BYTES ? ENDLESS : 'more' };
    return { used: end + 2, state: readLine(bytes.toString('latin1', 0, end)) };
  };

  const read: Framing['read'] = (bytes, body) => {
    let used = 0;
    while (true) {
      const { used: now, state } = step(bytes.subarray(used), body);
      used += now;
      if (now === 0 || state !== 'more') return { used, state };
    }
  };

  return { endsWithConnection: false, read };
}

const ENDLESS: ReadState = { broken: 'A line between two chunks has no end.' };
