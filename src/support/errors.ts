export type UserErrorOptions = {
  /** What to do about it. */
  readonly hint?: string | undefined;
  /** 2: wrong usage or configuration, nothing was sent. 3: could not tell. */
  readonly exitCode?: 2 | 3 | undefined;
  readonly cause?: unknown;
};

/** A mistake the user can fix. Shown as `error:` and `hint:`, never with a stack. Anything else is our bug. */
export class UserError extends Error {
  override readonly name: string = 'UserError';
  readonly code: string;
  readonly hint: string | undefined;
  readonly exitCode: 2 | 3;

  constructor(code: string, message: string, options: UserErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.hint = options.hint;
    this.exitCode = options.exitCode ?? 2;
  }
}

/** A source that cannot be read: at the start it ends the run with 3, half-way it makes the trial inconclusive. */
export class ProbeError extends UserError {
  override readonly name = 'ProbeError';

  constructor(message: string, options: { readonly hint?: string; readonly cause?: unknown } = {}) {
    super('SOURCE_UNREADABLE', message, { ...options, exitCode: 3 });
  }
}

/** The receiver that we run did not come up: at the start it ends the run with 3, half-way it makes the trial inconclusive. */
export class ReceiverLost extends UserError {
  override readonly name = 'ReceiverLost';

  constructor(message: string, options: { readonly hint?: string } = {}) {
    super('RECEIVER_NOT_READY', message, { ...options, exitCode: 3 });
  }
}

/** The user stopped it by Ctrl-C before it began: exit 130. */
export class Interrupted extends Error {
  override readonly name = 'Interrupted';
}

/** What the system says, in words; its own text repeats the path and names a call. */
const SYSTEM_ERRORS: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file or folder',
  ENOTDIR: 'a part of its path is no folder',
  EISDIR: 'it is a folder',
  EACCES: 'permission denied',
  EPERM: 'not permitted',
  EROFS: 'the file system is read-only',
  ENOSPC: 'the disk is full',
  EADDRINUSE: 'the address is in use already',
  EADDRNOTAVAIL: 'this machine has no such address',
};

/** The message of anything that was thrown. */
export function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { code = '', syscall } = error as NodeJS.ErrnoException;
  return (syscall === undefined ? undefined : SYSTEM_ERRORS[code]) ?? error.message;
}
