import { closeSync, fstatSync, mkdirSync, openSync, readSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';

/** Where the output of the receiver goes over a whole run, however often it is started. */
export type ReceiverLog = {
  readonly file: string;
  /** For its standard output and error. */
  readonly descriptor: number;
  /** Says what we did to it. What came before is not among the last lines any more. */
  readonly begin: (what: string) => void;
  readonly lastLines: () => readonly string[];
  readonly close: () => void;
};

const TAIL_BYTES = 4000;
const TAIL_LINES = 20;

/** Starts the file anew. */
export function openReceiverLog(file: string): ReceiverLog {
  mkdirSync(dirname(file), { recursive: true });
  closeSync(openSync(file, 'w'));
  const descriptor = openSync(file, 'a+');
  let since = 0;
  return {
    file,
    descriptor,
    begin: (what) => {
      writeSync(descriptor, `--- webhook-replay: ${what} ---\n`);
      since = fstatSync(descriptor).size;
    },
    lastLines: () => {
      const end = fstatSync(descriptor).size;
      const from = Math.max(since, end - TAIL_BYTES);
      const bytes = Buffer.alloc(Math.max(0, end - from));
      const read = readSync(descriptor, bytes, 0, bytes.length, from);
      const lines = bytes.toString('utf8', 0, read).split(/\r?\n/);
      return (from > since ? lines.slice(1) : lines).filter((line) => line.trim() !== '').slice(-TAIL_LINES);
    },
    close: () => closeSync(descriptor),
  };
}
