import type { ControlStep, Fault } from './plan.ts';

/** How a process that was to run came to its end. */
export type Death = {
  /** Continues a sentence that starts with the receiver: `ended with exit code 1`. */
  readonly how: string;
  /** Of its output. */
  readonly lastLines: readonly string[];
};

/** The receiver's own process, or several of one receiver, which are then all meant. */
export type ReceiverControl = {
  /** Ends it with everything it started. The signal is sent at once; done when nothing of it listens any more. */
  readonly kill: (signal: 'SIGKILL' | 'SIGTERM') => Promise<void>;
  /** Kills what still runs and starts again on the same port. @throws ReceiverLost when it does not become ready */
  readonly restart: () => Promise<void>;
  readonly stop: () => void;
  readonly continue: () => void;
  /** Set when it ended although nobody had ended it; a restart makes it forgotten. */
  readonly death: () => Death | undefined;
  /** Absent without `--intercept`. */
  readonly interception?: Interception | undefined;
};

/** One question of the receiver to a dependency, from its first bytes to the beginning of the answer. */
export type Turn = {
  /** The name of the environment variable. */
  readonly dependency: string;
  /** The first byte, which tells the kind of message in most protocols. */
  readonly opener: number;
  readonly bytes: number;
  /** The statement, command or method, where it can be read; never a value. */
  readonly what?: string | undefined;
};

/** Hears what the receiver says on one connection to a dependency: only bytes that went through, in their order. */
export type Hearing = {
  readonly said: (bytes: Uint8Array) => void;
  /** Nothing more is said on this connection. */
  readonly over: () => void;
};

/** Called for each connection to the dependency of this variable. */
export type Overhear = () => Hearing;

/** What came of lying in wait. */
export type Strike = {
  readonly struck: boolean;
  /** All turns since it lay in wait, the one it struck at included. */
  readonly turns: readonly Turn[];
};

/** Stands between the receiver and its dependencies. */
export type Interception = {
  readonly dependencies: readonly string[];
  /** What is said from now on, until the returned function is called, is idle chatter and not counted later. */
  readonly learnChatter: () => () => void;
  /** Counts turns from now on, until the returned function is called. */
  readonly count: () => () => readonly Turn[];
  /** Lies in wait from now on. */
  readonly lieInWait: (fault: Fault, signal: AbortSignal) => Promise<Strike>;
};

/** Told of each fault of a plan when it is over. */
export type OnStrike = (step: ControlStep, strike: Strike) => void;
