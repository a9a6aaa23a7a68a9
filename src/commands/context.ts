import type { Clock } from '../support/clock.ts';
import type { Output } from '../support/output.ts';
import type { Redactor } from '../support/redact.ts';

/** `DESIGN`: 0 held, 1 broken, 2 usage, 3 inconclusive, 70 our bug, 130 interrupted. */
export type ExitCode = 0 | 1 | 2 | 3 | 70 | 130;

/** What a command may touch of the process. Tests hand in their own. */
export type Context = {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  readonly stdin: NodeJS.ReadStream;
  /** Standard output: data. */
  readonly out: Output;
  /** Standard error: text for people. */
  readonly err: Output;
  readonly redactor: Redactor;
  readonly clock: Clock;
  /** Fires at the first Ctrl-C or SIGTERM; a second one ends the process at once. Calling it takes over both signals. */
  readonly interrupted: () => AbortSignal;
  /** Takes in what was found out only after the start: how output must be, and variables that `.env` adds. */
  readonly adopt: (adopted: Adopted) => void;
  /** Sets the exit code of this command. */
  readonly exit: (code: ExitCode) => void;
};

export type Adopted = {
  readonly json?: boolean | undefined;
  readonly color?: boolean | undefined;
  readonly variables?: Readonly<Record<string, string>> | undefined;
};

/** A flag in its long form, with its value when it takes one. */
export type GivenFlag = { readonly flag: string; readonly value?: string | undefined };

/** Flags that every command has; commander gives them through `optsWithGlobals()`. */
export type GlobalOptions = {
  readonly corpus?: string | undefined;
  readonly config?: string | undefined;
  readonly json?: boolean | undefined;
  readonly quiet?: boolean | undefined;
  readonly verbose?: boolean | undefined;
  /** False after `--no-input`. */
  readonly input: boolean;
  /** Every flag that was given, on the command line or by other settings, in the order of help. */
  readonly given?: readonly GivenFlag[] | undefined;
};
