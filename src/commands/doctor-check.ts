import { UserError } from '../support/errors.ts';

/** One thing that was looked at. */
export type Check = {
  readonly name: string;
  readonly state: 'ok' | 'problem' | 'not checked';
  /** What was found, or why nothing was looked at. */
  readonly text: string;
  /** What to do about a problem. */
  readonly hint?: string | undefined;
  /** Of a problem: 2 when something here is wrong, 3 when the receiver or a source is. */
  readonly exitCode?: 2 | 3 | undefined;
};

export function ok(name: string, text: string): Check {
  return { name, state: 'ok', text };
}

export function notChecked(name: string, text: string): Check {
  return { name, state: 'not checked', text };
}

/** Trouble that the user can fix is what is looked for; anything else is our bug. */
export async function checked(name: string, look: () => Check | Promise<Check>): Promise<Check> {
  try {
    return await look();
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    const { message, hint, exitCode } = error;
    return { name, state: 'problem', text: message, hint, exitCode };
  }
}
