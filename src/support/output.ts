import { WriteStream } from 'node:tty';
import type { ChalkInstance } from 'chalk';
import { Chalk } from 'chalk';
import { type Redactor, redactDeep } from './redact.ts';

/** One of the process's two text streams. */
export type Output = {
  /** Text passes the redactor. Nothing is added to it: end your lines. */
  readonly write: (text: string) => void;
  /** One JSON document, indented. Its texts pass the redactor before it is written, so that it stays JSON whatever a secret looks like. */
  readonly json: (document: unknown) => void;
  /** The same on a line of its own, for streams of them. */
  readonly jsonLine: (document: unknown) => void;
  /** Exact bytes, for `--raw`. */
  readonly writeBytes: (bytes: Uint8Array) => void;
  readonly isTerminal: boolean;
  /** The terminal's width, `COLUMNS`, or 80. */
  readonly columns: number;
  /** Colours for this stream; without colour it gives text back as it is. */
  readonly paint: ChalkInstance;
};

export type OutputOptions = {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly redactor: Redactor;
  /** False after `--no-color`. */
  readonly color: boolean;
};

export function createOutput(stream: NodeJS.WriteStream, options: OutputOptions): Output {
  const { redactor } = options;
  const writeJson = (document: unknown, indent?: number) =>
    void stream.write(`${JSON.stringify(redactDeep(document, redactor), null, indent)}\n`);
  return {
    write: (text) => void stream.write(redactor.redact(text)),
    json: (document) => writeJson(document, 2),
    jsonLine: (document) => writeJson(document),
    writeBytes: (bytes) => void stream.write(bytes),
    isTerminal: stream.isTTY === true,
    get columns() {
      return stream.columns || Number(options.env['COLUMNS']) || 80;
    },
    paint: new Chalk({ level: options.color ? colorLevel(stream, options.env) : 0 }),
  };
}

type ColorLevel = 0 | 1 | 2 | 3;

/** NO_COLOR beats FORCE_COLOR beats TERM=dumb beats what the terminal can do. chalk itself ignores NO_COLOR (chalk/chalk#547). */
function colorLevel(stream: NodeJS.WriteStream, env: OutputOptions['env']): ColorLevel {
  if (env['NO_COLOR']) return 0;
  const forced = forcedLevel(env);
  if (forced !== undefined) return forced;
  if (!stream.isTTY || env['TERM'] === 'dumb') return 0;
  // An empty NO_COLOR is none (no-color.org), and Node counts it.
  const { NO_COLOR: _, ...rest } = env;
  return levelOfDepth(WriteStream.prototype.getColorDepth.call(stream, rest));
}

function forcedLevel(env: OutputOptions['env']): ColorLevel | undefined {
  const force = env['FORCE_COLOR'];
  if (force !== undefined) return force === '0' || force === 'false' ? 0 : toLevel(Number(force) || 1);
  return env['CLICOLOR_FORCE'] && env['CLICOLOR_FORCE'] !== '0' ? 1 : undefined;
}

function levelOfDepth(bits: number): ColorLevel {
  if (bits >= 24) return 3;
  if (bits >= 8) return 2;
  return bits >= 4 ? 1 : 0;
}

function toLevel(level: number): ColorLevel {
  return Math.min(3, Math.max(0, level)) as ColorLevel;
}
