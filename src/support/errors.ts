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

/** The user stopped it by Ctrl-C before it began: exit 130. */
export class Interrupted extends Error {
  override readonly name = 'Interrupted';
}

/** The message of anything that was thrown. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
