import { type ChildProcess, spawn } from 'node:child_process';
import { createWriteStream } from 'node:fs';
import { request } from 'node:http';
import { connect } from 'node:net';
import type { Clock } from '../support/clock.ts';
import { formatDuration } from '../support/duration.ts';
import { UserError } from '../support/errors.ts';

export type ProcessSetup = {
  /** For the system's shell. */
  readonly command: string;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Where its output goes. */
  readonly logFile: string;
  /** The receiver's URL; it is ready when this port accepts, */
  readonly url: URL;
  /** or when this answers 2xx. */
  readonly ready?: URL | undefined;
  readonly readyWithinMs: number;
  readonly clock: Clock;
  readonly signal: AbortSignal;
};

export type ReceiverProcess = {
  /** The last lines of its output. */
  readonly tail: () => string;
  /** Ends it with everything it started: asks first, insists after 5 s. */
  readonly stop: () => Promise<void>;
};

const LOOK_EVERY_MS = 50;
const PATIENCE_MS = 5000;
const TAIL_BYTES = 2000;

/**
 * Starts the receiver and waits until it is ready.
 * @throws UserError exit 3 when it ends before that, or is not ready in time; nothing of it is left running
 */
export async function startProcess(setup: ProcessSetup): Promise<ReceiverProcess> {
  const { command, clock, readyWithinMs, signal } = setup;
  if (await accepts(setup.url)) {
    throw new UserError('PORT_IN_USE', `Something listens on ${setup.url.host} already, before --start "${command}".`, {
      hint: 'Stop it, so that what is tested is what was started; or leave --start out.',
    });
  }
  const child = spawn(command, {
    shell: true,
    cwd: setup.cwd,
    env: { ...setup.env },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: process.platform !== 'win32',
    windowsHide: true,
  });
  const output = keepOutput(child, setup.logFile);
  const ended = endOf(child);
  const stop = () => stopGroup(child, ended.promise, clock);
  const untilMs = clock.now() + readyWithinMs;
  while (!signal.aborted && clock.now() < untilMs && ended.how() === undefined) {
    if (await isReady(setup)) return { tail: output, stop };
    await clock.sleep(LOOK_EVERY_MS, signal);
  }
  const how = ended.how() ?? `was not ready within ${formatDuration(readyWithinMs)}`;
  await stop();
  throw new UserError('RECEIVER_NOT_READY', `--start "${command}" ${how}.\n${output()}`.trimEnd(), {
    hint: `All of its output is in ${setup.logFile}. --ready URL says where to look for it.`,
    exitCode: 3,
  });
}

function keepOutput(child: ChildProcess, logFile: string): () => string {
  const log = createWriteStream(logFile);
  let tail = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (chunk: Buffer) => {
      log.write(chunk);
      tail = (tail + chunk.toString('utf8')).slice(-TAIL_BYTES);
    });
  }
  child.on('close', () => log.end());
  return () => tail;
}

function endOf(child: ChildProcess) {
  let how: string | undefined;
  const promise = new Promise<void>((resolve) => {
    child.on('error', (error) => {
      how = `could not be started: ${error.message}`;
      resolve();
    });
    child.on('exit', (code, signal) => {
      how = code === null ? `was ended by ${signal}` : `ended with exit code ${code}`;
      resolve();
    });
  });
  return { promise, how: () => how };
}

async function isReady({ url, ready }: ProcessSetup): Promise<boolean> {
  return ready ? answersWell(ready) : accepts(url);
}

function accepts(url: URL): Promise<boolean> {
  return new Promise((resolve) => {
    const port = Number(url.port) || (url.protocol === 'https:' ? 443 : 80);
    const socket = connect({ host: url.hostname.replace(/^\[|\]$/g, ''), port });
    const done = (answer: boolean) => {
      socket.destroy();
      resolve(answer);
    };
    socket.on('connect', () => done(true)).on('error', () => done(false));
  });
}

function answersWell(url: URL): Promise<boolean> {
  return new Promise((resolve) => {
    const asked = request(url, { agent: false, timeout: PATIENCE_MS }, (answer) => {
      answer.resume();
      resolve(answer.statusCode !== undefined && answer.statusCode >= 200 && answer.statusCode < 300);
    });
    asked
      .on('timeout', () => asked.destroy())
      .on('error', () => resolve(false))
      .end();
  });
}

async function stopGroup(child: ChildProcess, ended: Promise<void>, clock: Clock): Promise<void> {
  kill(child, 'SIGTERM');
  const over = new AbortController();
  await Promise.race([ended.then(() => over.abort()), clock.sleep(PATIENCE_MS, over.signal)]);
  kill(child, 'SIGKILL');
  await ended;
}

/** The whole process group: a shell's children do not end with it. */
function kill(child: ChildProcess, signal: NodeJS.Signals): void {
  if (child.pid === undefined) return;
  try {
    if (process.platform === 'win32') child.kill(signal);
    else process.kill(-child.pid, signal);
  } catch {
    // It has ended by itself.
  }
}
