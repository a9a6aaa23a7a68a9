import { runCommand } from '../observe/run-command.ts';
import { UserError } from '../support/errors.ts';
import type { Context } from './context.ts';

const BOUND_MS = 60_000;

type StateCommand = { readonly flag: '--setup' | '--reset'; readonly command: string; readonly input: string };

/** Runs the user's own command that makes or clears state. It must end with 0 within a minute. */
export async function stateCommand({ flag, command, input }: StateCommand, { cwd, env, clock }: Context): Promise<void> {
  const end = await runCommand({ command, cwd, env, clock, timeoutMs: BOUND_MS, input });
  if (end.kind === 'ended' && end.code === 0) return;
  throw new UserError('STATE_COMMAND_FAILED', `${flag} ${JSON.stringify(command)} failed.`, { hint: 'Run it by hand.', exitCode: 3 });
}
