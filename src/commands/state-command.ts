import { runCommand } from '../observe/run-command.ts';
import { UserError } from '../support/errors.ts';
import type { Context } from './context.ts';

const BOUND_MS = 60_000;

type StateCommand = { readonly flag: '--setup' | '--reset'; readonly command: string; readonly input: string };

/** Runs the user's own command that makes or clears state. It must end with 0 within a minute. */
export async function stateCommand({ flag, command, input }: StateCommand, context: Context): Promise<void> {
  const { cwd, env, clock } = context;
  const end = await runCommand({ command, cwd, env, clock, timeoutMs: BOUND_MS, signal: context.interrupted(), input });
  if (end.kind === 'done') return;
  throw new UserError('STATE_COMMAND_FAILED', `${flag} "${command}" ${end.reason}`, {
    hint: 'Run it by hand; it must end with 0 before anything is sent.',
    exitCode: 3,
  });
}
